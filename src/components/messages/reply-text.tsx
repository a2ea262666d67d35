'use client';

import { Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { messageKeys } from '../../i18n/message-keys';
import type { Warning } from '../../server/messages/warning';
import styles from './messages.module.css';
import { markParts } from './order-reply/marked-text';

const KIND_NAMES = messageKeys('reply', {
  order_number: 'warnings.kinds.order_number',
  tracking_number: 'warnings.kinds.tracking_number',
  date: 'warnings.kinds.date',
  amount: 'warnings.kinds.amount',
  link: 'warnings.kinds.link',
  phone_number: 'warnings.kinds.phone_number',
  buyer_name: 'warnings.kinds.buyer_name',
});

const REASON_TEXTS = messageKeys('reply', {
  no_order: 'warnings.noOrder',
  other_buyer: 'warnings.otherBuyer',
  unconfirmed: 'warnings.claim',
  lost: 'warnings.lost',
});

/** A reply in which the values with warnings are marked, followed by the warnings. */
export function ReplyText({ reply, warnings }: { reply: string; warnings: readonly Warning[] }) {
  const t = useTranslations('reply');
  const parts = markParts(
    reply,
    warnings.map(({ value }) => value),
  );
  return (
    <>
      <Text className={styles.text} mb="md" maw={720}>
        {parts.map(
          ({ text, isMarked }, index) =>
            // biome-ignore-start lint/suspicious/noArrayIndexKey: parts are identified by their position
            isMarked ? <mark key={index}>{text}</mark> : <span key={index}>{text}</span>,
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

/** The warnings about a reply, each with its reason. */
export function WarningList({ warnings }: { warnings: readonly Warning[] }) {
  const t = useTranslations('reply');
  const reasonTextOf = ({ kind, reason }: Warning) => {
    const isNumber = kind === 'order_number' || kind === 'tracking_number';
    return reason === 'unconfirmed' && isNumber ? t('warnings.number') : t(REASON_TEXTS[reason]);
  };
  return (
    <>
      <Text fw={600}>{t('warnings.title', { count: warnings.length })}</Text>
      <ul className={styles.warnings}>
        {warnings.map((warning) => (
          <li key={`${warning.kind} ${warning.value}`}>
            <span className={styles.text}>
              {t.rich('warnings.of', {
                kind: t(KIND_NAMES[warning.kind]),
                value: () => <strong>{warning.value}</strong>,
              })}
            </span>
            <span className={styles.secondary}>{reasonTextOf(warning)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
