import { useTranslations } from 'next-intl';
import { messageKeys } from '../../i18n/message-keys';

export const SOURCE_NAMES = messageKeys('imports', {
  api: 'sources.api',
  command: 'sources.command',
  spreadsheet: 'sources.spreadsheet',
});

type Source = keyof typeof SOURCE_NAMES;

/** Returns a function that names an import's source. */
export function useSourceName(): (source: Source) => string {
  const t = useTranslations('imports');
  return (source) => t(SOURCE_NAMES[source]);
}
