'use client';

import { Button, Group, Modal, TextInput } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import { morningOf } from './snooze-times';

/** Asks for the day until which entries are snoozed. */
export function SnoozeDate({ onSnooze, onClose }: { onSnooze: (until: Date) => void; onClose: () => void }) {
  const t = useTranslations('queues');
  const common = useTranslations('common');
  const [day, setDay] = useState('');
  const [isInvalid, setIsInvalid] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const until = morningOf(day);
    setIsInvalid(until === null);
    if (until) onSnooze(until);
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('snooze.title')}
      size="sm"
      closeButtonProps={{ 'aria-label': common('close') }}
    >
      <form onSubmit={submit} noValidate>
        <TextInput
          type="date"
          label={t('snooze.until')}
          description={t('snooze.morning')}
          value={day}
          error={isInvalid ? t('snooze.past') : null}
          onChange={({ currentTarget: { value } }) => setDay(value)}
          data-autofocus
        />
        <Group justify="flex-end" gap="sm" mt="md">
          <Button variant="default" onClick={onClose}>
            {common('cancel')}
          </Button>
          <Button type="submit">{t('actions.snooze')}</Button>
        </Group>
      </form>
    </Modal>
  );
}
