'use client';

import { Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { messageKeys } from '../../i18n/message-keys';
import type { Warning } from '../../server/messages/schema';
import { markParts } from './marked-text';
import styles from './messages.module.css';

const KINDS = messageKeys('messages', {
  order_number: 'warnings.kinds.order_number',
  tracking_number: 'warnings.kinds.tracking_number',
  date: 'warnings.kinds.date',
  amount: 'warnings.kinds.amount',
  link: 'warnings.kinds.link',
  phone_number: 'warnings.kinds.phone_number',
  buyer_name: 'warnings.kinds.buyer_name',
});

/** Warnings about the request rather than about a statement in the reply. */
const ABOUT_REQUEST = /^The (?:shop|order)\b/;

/** A reply with unconfirmed statements marked, and the reasons below. */
export function ReplyText({ reply, warnings }: { reply: string; warnings: readonly Warning[] }) {
  const t = useTranslations('messages');
  const parts = markParts(
    reply,
    warnings.map(({ value }) => value),
  );
  return (
    <>
      <Text className={styles.text} mb="md" maw={720}>
        {parts.map(
          ({ text, marked }, index) =>
            // biome-ignore-start lint/suspicious/noArrayIndexKey: parts have no other name than their place
            marked ? <mark key={index}>{text}</mark> : <span key={index}>{text}</span>,
          // biome-ignore-end lint/suspicious/noArrayIndexKey: as above
        )}
      </Text>
      {warnings.length === 0 ? (
        <Text c="dimmed">{t('warnings.none')}</Text>
      ) : (
        <WarningList warnings={warnings} />
      )}
    </>
  );
}

/** The unconfirmed statements, each with its reason. */
export function WarningList({ warnings }: { warnings: readonly Warning[] }) {
  const t = useTranslations('messages');
  const reasonOf = ({ kind, message }: Warning) => {
    if (!ABOUT_REQUEST.test(message))
      return kind === 'order_number' || kind === 'tracking_number'
        ? t('warnings.number')
        : t('warnings.claim');
    return kind === 'order_number' ? t('warnings.noOrder') : t('warnings.otherBuyer');
  };
  return (
    <>
      <Text fw={600}>{t('warnings.title', { count: warnings.length })}</Text>
      <ul className={styles.warnings}>
        {warnings.map((warning) => (
          <li key={`${warning.kind} ${warning.value}`}>
            <span className={styles.text}>
              {t(KINDS[warning.kind])}: <strong>{warning.value}</strong>
            </span>
            <span className={styles.under}>{reasonOf(warning)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
