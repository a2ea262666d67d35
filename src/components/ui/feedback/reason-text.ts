import { useLocale, useTranslations } from 'next-intl';
import { useCallback } from 'react';
import type { ReasonKey } from '../../../server/core/reason';

/** A reason as it comes from the service or from a schema. */
export interface GivenReason {
  reason: ReasonKey;
  values: Readonly<Record<string, unknown>>;
}

const isReason = (value: unknown): value is GivenReason =>
  typeof value === 'object' && value !== null && 'reason' in value && 'values' in value;

/** How alternatives are joined: British English has no comma before "or", nor has the service. */
const LIST_TAGS = { en: 'en-GB', zh: 'zh-CN' };

/** Says in the reader's language why something is refused or doubted, the reasons inside of a reason first. */
export function useReasonText(): (reason: GivenReason) => string {
  const t = useTranslations('reasons');
  const locale = useLocale();
  return useCallback(
    (given) => {
      const textOf = (value: unknown): string => {
        if (isReason(value)) return say(value);
        if (!Array.isArray(value)) return String(value);
        return new Intl.ListFormat(LIST_TAGS[locale], { type: 'disjunction' }).format(value.map(textOf));
      };
      const say = ({ reason, values }: GivenReason): string => {
        const texts = Object.entries(values).map(([name, value]) => [name, textOf(value)]);
        return t.has(reason) ? t(reason, Object.fromEntries(texts)) : reason;
      };
      return say(given);
    },
    [t, locale],
  );
}
