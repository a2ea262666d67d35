'use client';

import { useLocale } from 'next-intl';
import { LANGUAGE_TAGS } from '../../../i18n/locale';
import { moneyText } from './money-text';

/** An amount with its currency, in tabular figures. The service's decimal string is never converted to a float. */
export function Money({ amount, currency }: { amount: string | number | null; currency: string | null }) {
  const tag = LANGUAGE_TAGS[useLocale()];
  if (amount === null) return <span>–</span>;
  return (
    <span className="figures" title={currency ?? undefined}>
      {moneyText(tag, amount, currency)}
    </span>
  );
}
