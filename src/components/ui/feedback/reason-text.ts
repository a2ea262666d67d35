import { useLocale, useTranslations } from 'next-intl';
import { useCallback } from 'react';
import type { Locale } from '../../../i18n/locale';
import type { ReasonKey } from '../../../server/core/errors/reason';

/** A reason from the service or from a schema. */
export interface AnyReason {
  reason: ReasonKey;
  values: Readonly<Record<string, unknown>>;
}

type Translate = Pick<ReturnType<typeof useTranslations<'reasons'>>, 'has'> &
  ((key: ReasonKey, values: Record<string, string>) => string);

/** British English, because the service's sentences have no comma before the last item of a list. */
const LIST_LANGUAGE_TAGS: Record<Locale, string> = { en: 'en-GB', zh: 'zh-CN' };

const isReason = (value: unknown): value is AnyReason =>
  typeof value === 'object' && value !== null && 'reason' in value && 'values' in value;

/** Formats a reason with the messages of a language, nested reasons first. */
export function formatReason({ reason, values }: AnyReason, locale: Locale, t: Translate): string {
  const textOf = (value: unknown): string => {
    if (isReason(value)) return formatReason(value, locale, t);
    if (!Array.isArray(value)) return String(value);
    return new Intl.ListFormat(LIST_LANGUAGE_TAGS[locale], { type: 'disjunction' }).format(value.map(textOf));
  };
  const entries = Object.entries(values).map(([name, value]) => [name, textOf(value)]);
  // A stored reason may come from another version.
  return t.has(reason) ? t(reason, Object.fromEntries(entries)) : reason;
}

/** Returns a function that formats reasons in the reader's language. */
export function useReasonText(): (reason: AnyReason) => string {
  const t = useTranslations('reasons');
  const locale = useLocale();
  return useCallback((reason) => formatReason(reason, locale, t), [t, locale]);
}
