'use client';

import { Button, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useTRPC } from '../../api/client';
import { ConfirmAction } from '../../ui/form/confirm-action';
import type { PromptVersion, ShopPrompt } from './shop-prompt';

/** Returns the mutations that make a version live; they reload all prompts. */
export function useVersionMutations() {
  const t = useTranslations('messages');
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const options = {
    onSuccess: ({ version }: { version: number }) => {
      notifications.show({ message: t('versions.done', { version }) });
      return queryClient.invalidateQueries(trpc.prompts.pathFilter());
    },
  };
  return {
    publish: useMutation(trpc.prompts.publish.mutationOptions(options)),
    rollBack: useMutation(trpc.prompts.rollBack.mutationOptions(options)),
  };
}

/** Explains what publishing a version will do. */
export function PublishQuestion({ prompt, version }: { prompt: ShopPrompt; version: number }) {
  const t = useTranslations('messages');
  return (
    <Stack gap="sm">
      <Text>{t('versions.publishAsk', { shop: prompt.shop, version })}</Text>
      {prompt.live && <Text>{t('versions.publishInstead', { live: prompt.live.version })}</Text>}
    </Stack>
  );
}

interface Props {
  prompt: ShopPrompt;
  draft: PromptVersion;
  disabled: boolean;
}

/** The button that publishes the pending draft, at the top of the page. */
export function PublishDraft({ prompt, draft, disabled }: Props) {
  const t = useTranslations('messages');
  const { publish } = useVersionMutations();
  const { version } = draft;
  return (
    <ConfirmAction
      title={t('versions.publishTitle', { version })}
      message={<PublishQuestion prompt={prompt} version={version} />}
      action={t('versions.publish')}
      onConfirm={() => publish.mutateAsync({ id: draft.id })}
    >
      {(ask) => (
        <Button disabled={disabled} onClick={ask}>
          {t('versions.publishTitle', { version })}
        </Button>
      )}
    </ConfirmAction>
  );
}
