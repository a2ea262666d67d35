'use client';

import { Button, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { type FormEvent, useEffect, useState } from 'react';
import { MAX_NOTE_LENGTH } from '../../../server/queues/queue';
import { useTRPC } from '../../api/client';
import { useFailureText } from '../../api/failure-text';
import { SHOWS_OWN_ERROR } from '../../api/page-queries';
import { failureOf } from '../../api/service-error';
import { useBackOffice } from '../../shell/back-office';
import { FormFooter } from '../../ui/form/form-buttons';
import { openFormDraft } from '../../ui/form/form-draft';
import { unmatchedQuery } from '../queries';

/** What the user has typed, and the stored note that they saw when they began. */
interface TypedNote {
  text: string;
  shownNote: string | null;
}

/**
 * The form for the note on a tracking number. There is only one note, and anybody who may change orders can replace it. Shows a
 * colleague's new note as long as nothing is typed. What is typed stays in this tab until it is saved or discarded.
 *
 * Has its own state, because useSchemaForm would add 7 kB to the page's script, which most visits do not need. Give it the number as
 * its `key`.
 */
export function NumberNote({ number, note }: { number: string; note: string | null }) {
  const t = useTranslations('queues');
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const failureText = useFailureText();
  const { user } = useBackOffice();
  const draft = openFormDraft(`${user.email}.note of number ${number}`);
  const [typedNote, setTypedNote] = useState<TypedNote | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const saveNote = useMutation(
    trpc.queues.noteUnmatched.mutationOptions({
      ...SHOWS_OWN_ERROR,
      // The save is pending, and the field read-only, until the page has loaded the note again. Only then is the field reset.
      onSuccess: () => {
        notifications.show({ message: t('unmatched.noted') });
        return queryClient.invalidateQueries(unmatchedQuery(trpc, number));
      },
    }),
  );
  const changeNote = (newNote: TypedNote | null) => {
    setTypedNote(newNote);
    draft.write(newNote ? { text: newNote.text } : {}, newNote ? { text: newNote.shownNote } : undefined);
  };
  // Not in the first render, which must match the server's.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the entry appears
  useEffect(() => {
    const { typed, shown } = draft.read({ text: '' }, []);
    if (typeof typed.text === 'string')
      setTypedNote({ text: typed.text, shownNote: (shown?.text ?? null) as string | null });
  }, []);
  const typeText = (text: string) => {
    setProblem(null);
    const shownNote = typedNote ? typedNote.shownNote : note;
    changeNote(text === (shownNote ?? '') ? null : { text, shownNote });
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!typedNote || saveNote.isPending) return;
    const text = typedNote.text.trim() || null;
    setProblem(null);
    try {
      await saveNote.mutateAsync({ tracking_number: number, text, shown: { text: typedNote.shownNote } });
      changeNote(null);
    } catch (error) {
      const failure = failureOf(error);
      if (!failure.conflict) return setProblem(failureText(failure).message);
      // The next attempt replaces the note that the user has seen now.
      const storedNote = (failure.conflict.stored.text ?? null) as string | null;
      changeNote({ text: typedNote.text, shownNote: storedNote });
      setProblem(
        storedNote === null ? t('unmatched.noteDeleted') : t('unmatched.noteChanged', { note: storedNote }),
      );
    }
  };
  const state = {
    isUnsaved: typedNote !== null,
    mayBeSaved:
      problem !== null && saveNote.error !== null && failureOf(saveNote.error).code === 'unanswered',
    busy: saveNote.isPending,
    isGone: false,
    discardChanges: () => {
      setProblem(null);
      changeNote(null);
    },
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="sm" maw={560}>
        <TextInput
          aria-label={t('unmatched.note')}
          placeholder={t('unmatched.note')}
          value={typedNote ? typedNote.text : (note ?? '')}
          error={problem}
          maxLength={MAX_NOTE_LENGTH}
          readOnly={saveNote.isPending}
          onChange={({ currentTarget: { value } }) => typeText(value)}
        />
        <Text size="sm" c="dimmed">
          {t('unmatched.noteHint')}
        </Text>
        <FormFooter state={state}>
          <Button type="submit" variant="default" loading={saveNote.isPending} disabled={typedNote === null}>
            {t('unmatched.save')}
          </Button>
        </FormFooter>
      </Stack>
    </form>
  );
}
