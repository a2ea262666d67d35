'use client';

import { Button, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { MAX_NOTE_LENGTH } from '../../../server/queues/queue';
import { useTRPC } from '../../api/client';
import { onDemand } from '../../api/on-demand';
import { SHOWS_OWN_ERROR } from '../../api/page-queries';
import { FormFooter } from '../../ui/form/form-buttons';
import { useSchemaForm } from '../../ui/form/schema-form';
import { unmatchedQuery } from '../queries';

// Rarely needed, and larger than the rest of the form.
const ConflictNotice = onDemand(() =>
  import('../../ui/form/conflict-notice').then((module) => module.ConflictNotice),
);

/**
 * The form for the note on a tracking number. There is only one note, and anybody who may change orders can replace it. Its state
 * belongs to the number, so give it the number as its `key`.
 */
export function NumberNote({ number, note }: { number: string; note: string | null }) {
  const t = useTranslations('queues');
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const save = useMutation(trpc.queues.noteUnmatched.mutationOptions(SHOWS_OWN_ERROR));
  const valuesOf = (record: { text: string | null }) => ({ text: record.text ?? '' });
  const formState = useSchemaForm({
    draftKey: `note of number ${number}`,
    loadSchema: () =>
      import('../../../server/queues/schema').then((module) =>
        module.noteUnmatchedInput.pick({ text: true }).partial(),
      ),
    initialValues: valuesOf({ text: note }),
    edit: { shown: { text: note }, valuesOf },
    followsRecord: true,
    recordAfterSave: ({ text = null }) => ({ text }),
    onSubmit: async ({ text = null }, _form, shown) => {
      await save.mutateAsync({ tracking_number: number, text, shown });
      notifications.show({ message: t('unmatched.noted') });
      await queryClient.invalidateQueries(unmatchedQuery(trpc, number));
    },
  });
  const { form, submit, busy, conflict, failure, isGone, isUnsaved } = formState;
  return (
    <form
      onSubmit={(event) => {
        // It is stored without surrounding spaces, which would otherwise look like a change.
        form.setFieldValue('text', form.getValues().text.trim());
        submit(event);
      }}
      noValidate
    >
      <Stack gap="sm" maw={560}>
        {conflict && (
          <ConflictNotice
            conflict={conflict}
            fields={[{ name: 'text', label: t('actions.note') }]}
            form={form}
          />
        )}
        <TextInput
          {...form.getInputProps('text')}
          {...(failure ? { error: failure.message } : {})}
          aria-label={t('unmatched.note')}
          placeholder={t('unmatched.note')}
          maxLength={MAX_NOTE_LENGTH}
        />
        <Text size="sm" c="dimmed">
          {t('unmatched.noteHint')}
        </Text>
        <FormFooter state={formState}>
          <Button type="submit" variant="default" loading={busy} disabled={!isUnsaved || isGone}>
            {t('unmatched.save')}
          </Button>
        </FormFooter>
      </Stack>
    </form>
  );
}
