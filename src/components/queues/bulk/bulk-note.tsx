'use client';

import { Stack, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { MAX_NOTE_LENGTH } from '../../../server/queues/queue';
import { useTRPC } from '../../api/client';
import { SHOWS_OWN_ERROR } from '../../api/page-queries';
import { confirmNote, noteKeyOf } from '../../orders/page/note-key';
import { FormButtons } from '../../ui/form/form-buttons';
import { useSchemaForm } from '../../ui/form/schema-form';
import type { Entry } from '../use-queue-work';
import { groupsOf } from './bulk-groups';
import { BulkDialog, useBulkRun } from './bulk-run';

/** Fewer than the service accepts, so that the progress bar moves in small steps. */
const MAX_ORDERS_PER_CALL = 50;

interface Props {
  entries: readonly Entry[];
  opened: boolean;
  onClose: () => void;
}

/** Adds the same note to several orders. Its state is not reset, so give it a new `key` each time it opens. */
export function BulkNote({ entries, opened, onClose }: Props) {
  const t = useTranslations('queues');
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const run = useBulkRun(entries);
  const addNotes = useMutation(trpc.orders.addNotes.mutationOptions(SHOWS_OWN_ERROR));
  const draftKey = `note of orders ${entries.map(({ id }) => id).join(' ')}`;
  const addNote = async (text: string) => {
    const key = noteKeyOf(draftKey, text);
    const failures = await run.start({
      groupsOf: (remainingEntries) => groupsOf(remainingEntries, MAX_ORDERS_PER_CALL, () => 1),
      run: async (group) => {
        const ids = group.map(({ id }) => id);
        const { noted: notedOrderIds } = await addNotes.mutateAsync({ ids, text, key });
        const notedIds = new Set(notedOrderIds);
        return new Map(group.map(({ id }) => [id, notedIds.has(id) ? t('bulk.noted') : t('bulk.gone')]));
      },
      onDone: async (failures) => {
        await queryClient.invalidateQueries(trpc.orders.one.pathFilter());
        if (failures.length > 0) return;
        confirmNote(draftKey);
        formState.discardChanges();
      },
    });
    // Until every order has the note, the text stays stored.
    if (failures.length > 0) throw failures[0];
  };
  const formState = useSchemaForm({
    draftKey,
    loadSchema: () =>
      import('../../../server/orders/detail/change-schema').then((module) =>
        module.addNoteInput.pick({ text: true }),
      ),
    initialValues: { text: '' },
    onSubmit: ({ text }) => addNote(text),
  });
  const { form, submit, failure } = formState;
  return (
    <BulkDialog
      title={t('bulk.noteTitle', { count: entries.length })}
      entries={entries}
      run={run}
      opened={opened}
      onClose={onClose}
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <Textarea
            {...form.getInputProps('text')}
            {...(failure ? { error: failure.message } : {})}
            label={t('actions.note')}
            autosize
            minRows={3}
            maxRows={12}
            maxLength={MAX_NOTE_LENGTH}
            data-autofocus
          />
          <FormButtons
            state={formState}
            action={t('bulk.addNote')}
            disabled={form.values.text.trim() === ''}
            onClose={onClose}
          />
        </Stack>
      </form>
    </BulkDialog>
  );
}
