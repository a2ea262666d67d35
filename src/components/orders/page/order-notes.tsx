'use client';

import { Button, Group, Skeleton, Stack, Text, Textarea } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useTRPC } from '../../api/client';
import { SHOWS_OWN_ERROR } from '../../api/page-queries';
import type { RouterOutputs } from '../../api/router-types';
import { ConfirmAction } from '../../ui/form/confirm-action';
import { FormFooter } from '../../ui/form/form-buttons';
import { useSchemaForm } from '../../ui/form/schema-form';
import { Instant } from '../../ui/value/time/instant';
import { confirmNote, noteKeyOf } from './note-key';
import styles from './order-page.module.css';

type Order = RouterOutputs['orders']['one'];

/** The notes on an order, with a form for a new one if `canWrite`. */
export function OrderNotes({
  orderId,
  notes,
  canWrite,
  focusesField = false,
}: {
  orderId: string;
  /** Undefined while they are loading. */
  notes: Order['notes'] | undefined;
  canWrite: boolean;
  /** Whether the dialog around them focuses the field for a new note when it opens. */
  focusesField?: boolean;
}) {
  const t = useTranslations('order');
  return (
    <Stack gap="md">
      {canWrite && <NewNote orderId={orderId} focusesField={focusesField} />}
      {!notes && <Skeleton height={48} />}
      {notes?.length === 0 && !canWrite && <Text c="dimmed">{t('notes.none')}</Text>}
      {notes && notes.length > 0 && (
        <ul className={styles.entries}>
          {notes.map((note) => (
            <li key={note.id}>
              <NoteEntry orderId={orderId} note={note} canWrite={canWrite} />
            </li>
          ))}
        </ul>
      )}
    </Stack>
  );
}

/** Returns a function that says what was done, and reloads the order with its notes. */
function useShowDone(orderId: string, message: string): () => Promise<unknown> {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return () => {
    notifications.show({ message });
    return queryClient.invalidateQueries(trpc.orders.one.queryFilter({ id: orderId }));
  };
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
    trpc.orders.removeNote.mutationOptions({ onSuccess: useShowDone(orderId, t('notes.removed')) }),
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
export function NewNote({ orderId, focusesField = false }: { orderId: string; focusesField?: boolean }) {
  const t = useTranslations('order');
  const trpc = useTRPC();
  const addNote = useMutation(
    trpc.orders.addNote.mutationOptions({
      onSuccess: useShowDone(orderId, t('notes.added')),
      ...SHOWS_OWN_ERROR,
    }),
  );
  const draftKey = `note ${orderId}`;
  const formState = useSchemaForm({
    draftKey,
    loadSchema: () =>
      import('../../../server/orders/detail/change-schema').then((module) =>
        module.addNoteInput.pick({ text: true }),
      ),
    initialValues: { text: '' },
    onSubmit: async ({ text }) => {
      const savedText = form.getValues().text;
      await addNote.mutateAsync({ id: orderId, text, key: noteKeyOf(draftKey, text) });
      confirmNote(draftKey);
      // What was typed while the note was being saved is the beginning of the next one.
      const currentText = form.getValues().text;
      form.setFieldValue(
        'text',
        currentText.startsWith(savedText) ? currentText.slice(savedText.length).trimStart() : currentText,
      );
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
          data-autofocus={focusesField || undefined}
          w="100%"
          autosize
          minRows={2}
          maxRows={12}
          aria-label={t('notes.new')}
          placeholder={t('notes.new')}
        />
        <FormFooter state={formState}>
          <Button type="submit" variant="default" loading={busy} disabled={form.values.text.trim() === ''}>
            {t('notes.add')}
          </Button>
        </FormFooter>
      </Stack>
    </form>
  );
}
