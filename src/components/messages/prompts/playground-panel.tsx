'use client';

import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useTRPC } from '../../api/client';
import { LoadError } from '../../ui/list/list-states';
import { replyQuery } from '../queries';
import { readTurns } from '../turn';
import { Playground } from './playground';
import type { Conversation } from './playground-form';
import type { ShopPrompt } from './shop-prompt';

const EMPTY_CONVERSATION: Conversation = {
  order_number: '',
  buyer_name: '',
  messages: [{ sender: 'buyer', content: '' }],
};

interface Props {
  prompt: ShopPrompt;
  replyId: string | undefined;
  disabled: boolean;
}

/** The playground, either empty or with the conversation of a logged reply. */
export function PlaygroundPanel({ prompt, replyId, disabled }: Props) {
  const t = useTranslations('messages');
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery({
    ...replyQuery(trpc, replyId ?? ''),
    enabled: replyId !== undefined,
  });
  if (!prompt.live && !prompt.draft) return <Text c="dimmed">{t('try.noPrompt')}</Text>;
  if (replyId === undefined)
    return <Playground prompt={prompt} initialConversation={EMPTY_CONVERSATION} disabled={disabled} />;
  if (error && !data) return <LoadError error={error} onRetry={refetch} />;
  if (!data) return <Skeleton height={320} radius="sm" />;
  const initialConversation: Conversation = {
    order_number: data.order_number ?? '',
    buyer_name: data.buyer_name ?? '',
    messages: readTurns(data.messages),
  };
  return (
    <Playground
      key={replyId}
      prompt={prompt}
      initialConversation={initialConversation}
      replyId={replyId}
      disabled={disabled}
    />
  );
}
