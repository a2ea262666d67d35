import { useTranslations } from 'next-intl';
import { useReasonText } from './reason-text';

/** What zod says of a value, as far as it is needed to say it in the reader's language. */
interface Issue {
  code?: string;
  message: string;
  origin?: unknown;
  minimum?: unknown;
  maximum?: unknown;
  format?: unknown;
  input?: unknown;
}

/**
 * Says what is wrong with a field, in the reader's language: zod's common words for it by their kind, and what a rule of the
 * schema's own says as a reason.
 */
export function useProblemText(): (issue: Issue) => string {
  const t = useTranslations('common');
  const reasonText = useReasonText();
  return ({ code, message, origin, minimum, maximum, format }) => {
    const isText = origin === 'string';
    switch (code) {
      case 'too_small':
        if (isText)
          return minimum === 1 ? t('problem.empty') : t('problem.short', { count: Number(minimum) });
        return origin === 'array' ? t('problem.empty') : t('problem.small', { minimum: Number(minimum) });
      case 'too_big':
        if (isText) return t('problem.long', { count: Number(maximum) });
        return t('problem.big', { maximum: Number(maximum) });
      case 'invalid_type':
        return t('problem.missing');
      case 'invalid_value':
        return t('problem.choice');
      case 'invalid_format':
        return format === 'email' ? t('problem.email') : reasonText(message);
      default:
        return reasonText(message);
    }
  };
}
