import { useTranslations } from 'next-intl';
import { messageKeys } from '../../i18n/message-keys';

export const SOURCES = messageKeys('imports', {
  api: 'sources.api',
  command: 'sources.command',
  spreadsheet: 'sources.spreadsheet',
});

type Source = keyof typeof SOURCES;

/** Returns a function that names an import's source. */
export function useSourceName(): (source: Source) => string {
  const t = useTranslations('imports');
  return (source) => t(SOURCES[source]);
}
