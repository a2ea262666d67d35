import { useTranslations } from 'next-intl';
import { messageKeys } from '../../i18n/message-keys';
import { useReasonText } from '../ui/feedback/reason-text';
import { readConnection } from './connection';
import type { ServiceFailure } from './service-error';

const TITLES = messageKeys('common', {
  unauthorized: 'signedOut.title',
  forbidden: 'failure.forbidden',
  confirmation_required: 'failure.confirm',
  not_found: 'failure.notFound',
  rate_limited: 'failure.rateLimited',
  validation_failed: 'failure.validation',
  payload_too_large: 'failure.validation',
  conflict: 'failure.conflict',
  service_unavailable: 'failure.unavailable',
  offline: 'failure.offline',
  unanswered: 'failure.offline',
  unreadable_file: 'failure.unreadableFile',
});

/** What to do about failures that the service does not explain. */
const HINTS = messageKeys('common', {
  unauthorized: 'signedOut.hint',
  offline: 'failure.offlineHint',
  unanswered: 'failure.unansweredHint',
  unreadable_file: 'failure.unreadableFileHint',
});

/**
 * Returns a function that describes a failure in the reader's language: a title and an explanation, which is in English if the
 * service gave no reason. There is no title if the page is that of an earlier version.
 */
export function useFailureText(): (failure: ServiceFailure) => { title: string; message: string } {
  const t = useTranslations('common');
  const reasonText = useReasonText();
  return ({ code, message, reason }) =>
    code === 'offline' && readConnection() === 'outdated'
      ? { title: '', message: t('connection.outdated') }
      : {
          title: code in TITLES ? t(TITLES[code as keyof typeof TITLES]) : t('failure.other'),
          message:
            code in HINTS ? t(HINTS[code as keyof typeof HINTS]) : reason ? reasonText(reason) : message,
        };
}

/** Returns a function that describes a failure in one line. */
export function useFailureSentence(): (failure: ServiceFailure) => string {
  const t = useTranslations('common');
  const failureText = useFailureText();
  return (failure) => {
    const { title, message } = failureText(failure);
    return title ? t('failure.sentence', { title, message }) : message;
  };
}
