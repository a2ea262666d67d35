import { messageKeys } from '../../i18n/message-keys';

/** What the roles are called. */
export const ROLE_NAMES = messageKeys('common', {
  owner: 'roles.owner',
  admin: 'roles.admin',
  operator: 'roles.operator',
  viewer: 'roles.viewer',
});
