import { useFormatter, useLocale, useTranslations } from 'next-intl';
import { messageKeys } from '../../../i18n/message-keys';

const PARTS = messageKeys('import', {
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
  return (orders: Record<keyof typeof PARTS, number>): string => {
    if (orders.created + orders.changed === 0) return t('will.nothing', { count: orders.unchanged });
    const parts = (['created', 'changed', 'unchanged'] as const).flatMap((part) =>
      orders[part] > 0 ? [t(PARTS[part], { count: orders[part] })] : [],
    );
    return t('will.does', { what: format.list(parts, { type: 'conjunction', style }) });
  };
}
