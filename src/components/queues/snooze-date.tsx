'use client';

import { Button, Group, TextInput } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import { OpenedDialog } from '../ui/dialog/opened-dialog';
import { useReaderZone } from '../ui/value/time/zones';
import { morningOf } from './snooze-times';

interface Props {
  onSnooze: (until: Date) => void;
  onClose: () => void;
}

/** Asks for the day until which entries are snoozed. Loaded when the dialog is first opened. */
export function SnoozeDate({ opened, ...props }: Props & { opened: boolean }) {
  const t = useTranslations('queues');
  return (
    <OpenedDialog opened={opened} onClose={props.onClose} title={t('snooze.title')} size="sm">
      <SnoozeForm {...props} />
    </OpenedDialog>
  );
}

function SnoozeForm({ onSnooze, onClose }: Props) {
  const t = useTranslations('queues');
  const common = useTranslations('common');
  const zone = useReaderZone();
  const [day, setDay] = useState('');
  const [isInvalid, setIsInvalid] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const until = morningOf(day, zone);
    setIsInvalid(until === null);
    if (until) onSnooze(until);
  };
  return (
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
  );
}
