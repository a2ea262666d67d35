'use client';

import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useRef } from 'react';
import { useTRPC } from '../../api/client';
import { SHOWS_OWN_ERROR } from '../../api/page-queries';
import { ConfirmAction } from '../../ui/form/confirm-action';
import { FormFields } from '../../ui/form/form-fields';
import { useSchemaForm } from '../../ui/form/schema-form';
import { Sentences } from '../../ui/value/sentences';
import type { PromptUrl, ShopPrompt } from './shop-prompt';
import { promptDraftKey } from './unsaved-text';

/** The newest version when the editor was opened. A save is refused if somebody has saved another one since. */
interface NewestVersion {
  version: number;
  text: string;
}

/**
 * Edits the next version, which starts as a copy of an earlier one if there is any, and publishes it or saves it as a draft.
 * Unsaved text is kept until it is saved or discarded, the browser tab is closed or the user signs out.
 */
export function PromptEditor({ prompt, url }: { prompt: ShopPrompt; url: PromptUrl }) {
  const t = useTranslations('messages');
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { shop, versions, live, draft } = prompt;
  const baseVersionInUrl = versions.find(({ version }) => String(version) === url.filters.base);
  // Stays the same when a colleague saves another version, because the edited text is not based on that version.
  const { current: baseVersion } = useRef(baseVersionInUrl ?? draft ?? live ?? versions[0]);
  const isDraft = useRef(true);
  const save = useMutation(trpc.prompts.set.mutationOptions(SHOWS_OWN_ERROR));
  const formState = useSchemaForm({
    draftKey: promptDraftKey(shop, baseVersionInUrl?.version),
    loadSchema: () =>
      import('../../../server/messages/prompts/schema').then((module) => module.promptFormSchema),
    initialValues: { text: baseVersion?.text ?? '' },
    edit: {
      shown: { version: versions[0]?.version ?? 0, text: versions[0]?.text ?? '' },
      valuesOf: ({ text }: NewestVersion) => ({ text }),
    },
    onSubmit: async ({ text }, _form, shown) => {
      const newestVersion = shown && { version: shown.version };
      const input = { shop_name: shop, text, draft: isDraft.current, shown: newestVersion };
      const { version } = await save.mutateAsync(input);
      notifications.show({ message: t(isDraft.current ? 'edit.saved' : 'versions.done', { version }) });
      await queryClient.invalidateQueries(trpc.prompts.pathFilter());
      url.setFilters({ view: undefined, base: undefined, from: undefined, to: String(version) });
    },
  });
  const { form, isUnsaved, discardChanges, busy } = formState;
  const { text } = form.getValues();

  return (
    <form
      onSubmit={(event) => {
        isDraft.current = true;
        formState.submit(event);
      }}
      noValidate
    >
      <Stack gap="md">
        <FormFields fields={[]} otherFields={[{ name: 'text', label: t('edit.label') }]} state={formState} />
        <Textarea
          {...form.getInputProps('text')}
          label={t('edit.label')}
          description={
            <Sentences>
              {baseVersion && t('edit.from', { version: baseVersion.version })}
              {t('edit.hint')}
            </Sentences>
          }
          name="text"
          autosize
          minRows={12}
          maxRows={32}
        />
        <Group gap="sm" justify="space-between">
          <Text c="dimmed" className="figures">
            {t('edit.length', { count: text.length })}
            {isUnsaved && ` · ${t('edit.kept')}`}
          </Text>
          <Group gap="sm">
            <ConfirmAction
              title={t('edit.discard')}
              message={t('edit.askDiscard')}
              action={t('edit.discard')}
              destructive
              onConfirm={async () => discardChanges()}
            >
              {(ask) => (
                <Button variant="default" disabled={!isUnsaved} onClick={ask}>
                  {t('edit.discard')}
                </Button>
              )}
            </ConfirmAction>
            <Button type="submit" variant="default" loading={busy}>
              {t('edit.save')}
            </Button>
            <ConfirmAction
              title={t('edit.publish')}
              message={t('edit.publishAsk', { shop })}
              action={t('edit.publish')}
              onConfirm={async () => {
                isDraft.current = false;
                formState.submit();
              }}
            >
              {(ask) => (
                <Button disabled={busy} onClick={ask}>
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
