import { useFormatter, useLocale, useTranslations } from 'next-intl';
import { messageKeys } from '../../../i18n/message-keys';

const PART_TEXTS = messageKeys('import', {
  created: 'will.created',
  changed: 'will.changed',
  unchanged: 'will.unchanged',
});

/** Returns a function that describes in one sentence what an import would do to orders. */
export function useOutcomeText() {
  const t = useTranslations('import');
  const format = useFormatter();
  // Chinese joins the parts with punctuation instead of a word.
  const style = useLocale() === 'zh' ? 'narrow' : 'long';
  return (orderCounts: Record<keyof typeof PART_TEXTS, number>): string => {
    if (orderCounts.created + orderCounts.changed === 0)
      return t('will.nothing', { count: orderCounts.unchanged });
    const parts = (['created', 'changed', 'unchanged'] as const).flatMap((part) =>
      orderCounts[part] > 0 ? [t(PART_TEXTS[part], { count: orderCounts[part] })] : [],
    );
    return t('will.does', { what: format.list(parts, { type: 'conjunction', style }) });
  };
}
