'use client';

import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useSessionStorage } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import { reasonOf } from '../../server/core/validation';
import { setPromptInput } from '../../server/messages/prompts/schema';
import { useTRPC } from '../api/client';
import { useFailureText } from '../api/failure-text';
import { OWN_ERROR } from '../api/page-queries';
import { failureOf } from '../api/service-error';
import { useProblemText } from '../ui/feedback/problem-text';
import { ConfirmAction } from '../ui/form/confirm-action';
import type { PromptAddress, ShopPrompt } from './shop-prompt';

/**
 * Edits the next version, based on an earlier one, and publishes it or saves it as a draft. Unsaved text is kept while the
 * browser tab is open.
 */
export function PromptEditor({ prompt, address }: { prompt: ShopPrompt; address: PromptAddress }) {
  const t = useTranslations('messages');
  const trpc = useTRPC();
  const queries = useQueryClient();
  const problemText = useProblemText();
  const failureText = useFailureText();
  const { shop, versions, live, draft } = prompt;
  const named = versions.find(({ version }) => String(version) === address.filters.base);
  const base = named ?? draft ?? live ?? versions[0];
  const [kept, setKept, forget] = useSessionStorage<string | null>({
    key: `brickdesk.prompt.${shop}.${base?.version ?? 0}`,
    defaultValue: null,
  });
  const [problem, setProblem] = useState<string | null>(null);
  const save = useMutation(trpc.prompts.set.mutationOptions(OWN_ERROR));
  const text = kept ?? base?.text ?? '';

  const submit = async (draft: boolean) => {
    const checked = setPromptInput.safeParse({ shop_name: shop, text, draft });
    const issue = checked.error?.issues[0];
    setProblem(issue ? problemText(reasonOf(issue)) : null);
    if (!checked.success) return;
    try {
      const { version } = await save.mutateAsync(checked.data);
      forget();
      notifications.show({ message: t(draft ? 'edit.saved' : 'versions.done', { version }) });
      await queries.invalidateQueries(trpc.prompts.pathFilter());
      address.setFilters({ view: undefined, base: undefined, from: undefined, to: String(version) });
    } catch (error) {
      const failure = failureOf(error);
      const { title, message } = failureText(failure);
      const [first] = failure.problems;
      setProblem(first ? problemText(first) : `${title}. ${message}`);
    }
  };

  return (
    <form
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        void submit(true);
      }}
      noValidate
    >
      <Stack gap="md">
        <Textarea
          label={t('edit.label')}
          description={[base && t('edit.from', { version: base.version }), t('edit.hint')]
            .filter(Boolean)
            .join(' ')}
          name="text"
          autosize
          minRows={12}
          maxRows={32}
          value={text}
          error={problem}
          onChange={({ currentTarget: { value } }) => setKept(value)}
        />
        <Group gap="sm" justify="space-between">
          <Text c="dimmed" className="figures">
            {t('edit.length', { count: text.length })}
            {kept !== null && ` · ${t('edit.kept')}`}
          </Text>
          <Group gap="sm">
            <ConfirmAction
              title={t('edit.discard')}
              message={t('edit.askDiscard')}
              action={t('edit.discard')}
              destructive
              onConfirm={async () => forget()}
            >
              {(ask) => (
                <Button variant="default" disabled={kept === null} onClick={ask}>
                  {t('edit.discard')}
                </Button>
              )}
            </ConfirmAction>
            <Button type="submit" variant="default" loading={save.isPending}>
              {t('edit.save')}
            </Button>
            <ConfirmAction
              title={t('edit.publish')}
              message={t('edit.publishAsk', { shop })}
              action={t('edit.publish')}
              onConfirm={() => submit(false)}
            >
              {(ask) => (
                <Button disabled={save.isPending} onClick={ask}>
                  {t('edit.publish')}
                </Button>
              )}
            </ConfirmAction>
          </Group>
        </Group>
      </Stack>
    </form>
  );
}
