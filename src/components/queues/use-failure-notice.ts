import { notifications } from '@mantine/notifications';
import { useTranslations } from 'next-intl';
import { useFailureSentence, useFailureText } from '../api/failure-text';
import { failureOf } from '../api/service-error';

/**
 * Returns a function that says that an action on entries failed, and why. If there was no response, it does not say that the action
 * failed.
 * @param announce announces to screen readers what happened
 */
export function useFailureNotice(
  announce: (text: string) => void,
): (text: string, numbersText: string, error: unknown) => void {
  const t = useTranslations('queues');
  const failureText = useFailureText();
  const failureSentence = useFailureSentence();
  return (text, numbersText, error) => {
    const failure = failureOf(error);
    const isUnanswered = failure.code === 'unanswered';
    const title = isUnanswered ? t('said.noResponse', { receipts: numbersText }) : text;
    announce(title);
    // The shared error handler has said that the user is signed out.
    if (failure.code === 'unauthorized') return;
    const message = isUnanswered ? failureText(failure).message : failureSentence(failure);
    notifications.show({ color: 'red', title, message });
  };
}
