'use client';

import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useTRPC } from '../../api/client';
import { SHOWS_OWN_ERROR } from '../../api/page-queries';
import type { RouterOutputs } from '../../api/router-types';
import { ConfirmAction } from '../../ui/form/confirm-action';
import { useSchemaForm } from '../../ui/form/schema-form';
import { UnsavedNotice } from '../../ui/form/unsaved-notice';
import { Instant } from '../../ui/value/instant';
import styles from './order-page.module.css';

type Order = RouterOutputs['orders']['one'];

/** The notes on an order, with a form for a new one if `canWrite`. */
export function OrderNotes({ order, canWrite }: { order: Order; canWrite: boolean }) {
  const t = useTranslations('order');
  return (
    <Stack gap="md">
      {canWrite && <NewNote orderId={order.id} />}
      {order.notes.length === 0 && !canWrite && <Text c="dimmed">{t('notes.none')}</Text>}
      {order.notes.length > 0 && (
        <ul className={styles.entries}>
          {order.notes.map((note) => (
            <li key={note.id}>
              <NoteEntry orderId={order.id} note={note} canWrite={canWrite} />
            </li>
          ))}
        </ul>
      )}
    </Stack>
  );
}

/** Returns a function that reloads the order with its notes. */
function useReloadOrder(orderId: string): () => Promise<unknown> {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries(trpc.orders.one.queryFilter({ id: orderId }));
}

/** A note on an order. Only colleagues see it, never the buyer; its author can remove it if `canWrite`. */
export function NoteEntry({
  orderId,
  note,
  canWrite,
}: {
  orderId: string;
  note: Order['notes'][number];
  canWrite: boolean;
}) {
  const t = useTranslations('order');
  const trpc = useTRPC();
  const removeNote = useMutation(
    trpc.orders.removeNote.mutationOptions({ onSuccess: useReloadOrder(orderId) }),
  );
  return (
    <>
      <p className={styles.text}>{note.text}</p>
      <Group gap={4} className={styles.quiet}>
        <Instant value={note.created_at} />
        <span>· {note.author}</span>
        {note.own && canWrite && (
          <ConfirmAction
            title={t('notes.removeTitle')}
            message={t('notes.removeHint')}
            action={t('notes.remove')}
            destructive
            onConfirm={() => removeNote.mutateAsync({ note_id: note.id })}
          >
            {(ask) => (
              <Button variant="transparent" size="compact-xs" onClick={ask}>
                {t('notes.remove')}
              </Button>
            )}
          </ConfirmAction>
        )}
      </Group>
    </>
  );
}

/** The form for a new note. */
export function NewNote({ orderId }: { orderId: string }) {
  const t = useTranslations('order');
  const trpc = useTRPC();
  const addNote = useMutation(
    trpc.orders.addNote.mutationOptions({ onSuccess: useReloadOrder(orderId), ...SHOWS_OWN_ERROR }),
  );
  const formState = useSchemaForm({
    draftKey: `note ${orderId}`,
    loadSchema: () =>
      import('../../../server/orders/detail/change-schema').then((module) =>
        module.addNoteInput.omit({ id: true }),
      ),
    initialValues: { text: '' },
    onSubmit: async ({ text }) => {
      await addNote.mutateAsync({ id: orderId, text });
      form.reset();
    },
  });
  const { form, submit, busy, failure } = formState;
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm" align="flex-end">
        <Textarea
          {...form.getInputProps('text')}
          {...(failure ? { error: failure.message } : {})}
          name="text"
          w="100%"
          autosize
          minRows={2}
          maxRows={12}
          aria-label={t('notes.new')}
          placeholder={t('notes.new')}
        />
        <Group w="100%" justify="flex-end">
          <UnsavedNotice state={formState} />
          <Button type="submit" variant="default" loading={busy} disabled={form.values.text.trim() === ''}>
            {t('notes.add')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
