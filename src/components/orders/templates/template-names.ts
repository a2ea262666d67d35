import { useTranslations } from 'next-intl';
import { messageKeys } from '../../../i18n/message-keys';
import type { BuiltInTemplate } from '../../../server/orders/export/template-names';

const TEMPLATE_NAMES = messageKeys('export', {
  items: 'builtIn.items',
  forwarder: 'builtIn.forwarder',
  picking: 'builtIn.picking',
  accounting: 'builtIn.accounting',
});

/** Returns a function that names a built-in template in the reader's language. */
export function useBuiltInTemplateName(): (id: BuiltInTemplate) => string {
  const t = useTranslations('export');
  return (id) => t(TEMPLATE_NAMES[id]);
}
