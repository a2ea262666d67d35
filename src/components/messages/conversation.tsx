import { Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import styles from './messages.module.css';
import type { Turn } from './turn';

/** The messages of a conversation, oldest first, each with its sender. */
export function Conversation({ turns }: { turns: readonly Turn[] }) {
  const t = useTranslations('reply');
  return (
    <ol className={styles.turns}>
      {turns.map(({ sender, content }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: turns are identified by their position
        <li key={index}>
          <Text fw={600}>{sender === 'buyer' ? t('sender.buyer') : t('sender.shop')}</Text>
          <Text className={styles.text}>{content}</Text>
        </li>
      ))}
    </ol>
  );
}
