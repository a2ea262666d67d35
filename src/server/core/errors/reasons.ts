import { DOMAIN_REASONS } from './reasons/domains';
import { IMPORT_REASONS } from './reasons/imports';
import { EXTERNAL_SERVICE_REASONS } from './reasons/other-services';
import { PEOPLE_REASONS } from './reasons/people';
import { REQUEST_REASONS } from './reasons/requests';
import { VALUE_REASONS } from './reasons/values';

/**
 * Every reason why something is refused or flagged, by area, with its English sentence; a name in braces is a placeholder.
 * REST, the command line and the English pages use these sentences; messages/zh/reasons.json has the Chinese ones. Most sentences
 * in lower case follow the name of a field or a file.
 * Imports, callbacks and the request log of API keys are stored with their reasons: renaming or removing a reason requires a
 * migration of the stored data.
 * Browsers never load this table: pages get the sentences they need as messages in the reader's language.
 */
export const REASONS = {
  ...VALUE_REASONS,
  ...REQUEST_REASONS,
  ...IMPORT_REASONS,
  ...PEOPLE_REASONS,
  ...DOMAIN_REASONS,
  ...EXTERNAL_SERVICE_REASONS,
};
