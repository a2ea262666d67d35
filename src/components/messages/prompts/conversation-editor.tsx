'use client';

import { ActionIcon, Button, Group, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import styles from '../messages.module.css';
import type { ConversationForm } from './playground-form';

/** Edits a sample conversation: the order, the buyer, and the messages of both sides. */
export function ConversationEditor({ form }: { form: ConversationForm }) {
  const t = useTranslations('messages');
  const reply = useTranslations('reply');
  const { messages } = form.getValues();
  const addMessage = (sender: 'buyer' | 'shop') => form.insertListItem('messages', { sender, content: '' });
  return (
    <Stack gap="md">
      <div className={styles.fields}>
        <TextInput
          label={t('try.order')}
          description={t('try.orderHint')}
          classNames={{ input: 'mono' }}
          autoComplete="off"
          {...form.getInputProps('order_number')}
        />
        <TextInput
          label={t('try.buyer')}
          description={t('try.buyerHint')}
          autoComplete="off"
          {...form.getInputProps('buyer_name')}
        />
      </div>
      <Stack gap="sm" role="group" aria-label={t('try.conversation')}>
        <div>
          <Text fw={500}>{t('try.conversation')}</Text>
          <Text size="xs" c="dimmed">
            {t('try.conversationHint')}
          </Text>
        </div>
        {messages.map((_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: turns are identified by their position
          <div key={index} className={styles.turn}>
            <NativeSelect
              aria-label={t('try.sender', { number: index + 1 })}
              data={[
                { value: 'buyer', label: reply('sender.buyer') },
                { value: 'shop', label: reply('sender.shop') },
              ]}
              {...form.getInputProps(`messages.${index}.sender`)}
            />
            <Textarea
              aria-label={t('try.content', { number: index + 1 })}
              autosize
              minRows={2}
              maxRows={12}
              {...form.getInputProps(`messages.${index}.content`)}
            />
            <ActionIcon
              variant="default"
              size={36}
              aria-label={t('try.remove', { number: index + 1 })}
              onClick={() => form.removeListItem('messages', index)}
            >
              <IconTrash size={16} stroke={1.75} />
            </ActionIcon>
          </div>
        ))}
        <Group gap="sm">
          <Button variant="default" onClick={() => addMessage('buyer')}>
            {t('try.addBuyer')}
          </Button>
          <Button variant="default" onClick={() => addMessage('shop')}>
            {t('try.addShop')}
          </Button>
        </Group>
      </Stack>
    </Stack>
  );
}
