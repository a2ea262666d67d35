'use client';

import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useEffect } from 'react';
import { addNoteInput } from '../../server/orders/detail/change-schema';
import { useTRPC } from '../api/client';
import { OWN_ERROR } from '../api/page-queries';
import type { RouterOutputs } from '../api/router-types';
import { ConfirmAction } from '../ui/form/confirm-action';
import { useSchemaForm } from '../ui/form/schema-form';
import { Instant } from '../ui/value/instant';
import styles from './order-page.module.css';

type Order = RouterOutputs['orders']['one'];

/** Notes for colleagues about an order. Buyers never see them. */
export function OrderNotes({ order, mayWrite }: { order: Order; mayWrite: boolean }) {
  const t = useTranslations('order');
  const trpc = useTRPC();
  const queries = useQueryClient();
  const onSuccess = () => queries.invalidateQueries(trpc.orders.one.queryFilter({ id: order.id }));
  const remove = useMutation(trpc.orders.removeNote.mutationOptions({ onSuccess }));
  return (
    <Stack gap="md">
      {mayWrite && <NewNote orderId={order.id} onAdded={onSuccess} />}
      {order.notes.length === 0 && !mayWrite && <Text c="dimmed">{t('notes.none')}</Text>}
      {order.notes.length > 0 && (
        <ul className={styles.entries}>
          {order.notes.map((note) => (
            <li key={note.id}>
              <p className={styles.note}>{note.text}</p>
              <Group gap="sm" className={styles.quiet}>
                <span>{note.author}</span>
                <Instant value={note.created_at} />
                {note.own && mayWrite && (
                  <ConfirmAction
                    title={t('notes.removeTitle')}
                    message={t('notes.removeHint')}
                    action={t('notes.remove')}
                    destructive
                    onConfirm={() => remove.mutateAsync({ note_id: note.id })}
                  >
                    {(ask) => (
                      <Button variant="transparent" size="compact-xs" px={0} onClick={ask}>
                        {t('notes.remove')}
                      </Button>
                    )}
                  </ConfirmAction>
                )}
              </Group>
            </li>
          ))}
        </ul>
      )}
    </Stack>
  );
}

const keyOf = (orderId: string) => `brickdesk.note.${orderId}`;
const keptNote = (orderId: string) => window.sessionStorage.getItem(keyOf(orderId)) ?? '';

function keep(orderId: string, text: string): void {
  if (text === '') window.sessionStorage.removeItem(keyOf(orderId));
  else window.sessionStorage.setItem(keyOf(orderId), text);
}

function NewNote({ orderId, onAdded }: { orderId: string; onAdded: () => Promise<unknown> }) {
  const t = useTranslations('order');
  const trpc = useTRPC();
  const add = useMutation(trpc.orders.addNote.mutationOptions({ onSuccess: onAdded, ...OWN_ERROR }));
  const { form, submit, busy, failure } = useSchemaForm({
    schema: addNoteInput.omit({ id: true }),
    initialValues: { text: '' },
    onSubmit: async ({ text }) => {
      await add.mutateAsync({ id: orderId, text });
      keep(orderId, '');
      form.reset();
    },
  });
  const { setFieldValue } = form;
  // What was begun is there again for who comes back in the same tab.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the form appears
  useEffect(() => setFieldValue('text', keptNote(orderId)), []);
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm" align="flex-end">
        <Textarea
          {...form.getInputProps('text')}
          {...(failure ? { error: failure.message } : {})}
          name="text"
          onChange={({ currentTarget: { value } }) => {
            setFieldValue('text', value);
            keep(orderId, value);
          }}
          w="100%"
          autosize
          minRows={2}
          maxRows={12}
          aria-label={t('notes.new')}
          placeholder={t('notes.new')}
        />
        <Button type="submit" variant="default" loading={busy} disabled={form.values.text.trim() === ''}>
          {t('notes.add')}
        </Button>
      </Stack>
    </form>
  );
}
