'use client';

import { Anchor, Button, Group, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { messageKeys } from '../../../i18n/message-keys';
import { hasPermission } from '../../../server/identity/roles';
import { useTRPC } from '../../api/client';
import type { RouterOutputs } from '../../api/router-types';
import { useBackOffice } from '../../shell/back-office';
import { LoadError } from '../../ui/list/list-states';
import { Facts, Section } from '../../ui/page/detail-page';
import { PageHeader } from '../../ui/page/page-header';
import { CopyBlock } from '../../ui/value/copy-block';
import { CopyableText } from '../../ui/value/copyable-text';
import { StatusBadge } from '../../ui/value/status-badge';
import { Instant } from '../../ui/value/time/instant';
import { Conversation } from '../conversation';
import styles from '../messages.module.css';
import { replyQuery } from '../queries';
import { ReplyText, WarningList } from '../reply-text';
import { readTurns } from '../turn';
import { OUTCOME_STATUSES, useRequesterName } from './reply-columns';
import { useReplyFigureFormatter } from './reply-figures';

type Reply = RouterOutputs['replies']['one'];

const ERROR_TEXTS = messageKeys('messages', {
  refused: 'errors.refused',
  unreachable: 'errors.unreachable',
  broken: 'errors.broken',
  timeout: 'errors.timeout',
  declined: 'errors.declined',
  cut_off: 'errors.cutOff',
  empty: 'errors.empty',
  not_configured: 'errors.notConfigured',
});

/** One reply: the conversation, the text, and the prompt and model behind it. */
export function ReplyPage({ id }: { id: string }) {
  const t = useTranslations('messages');
  const trpc = useTRPC();
  const { prefix, user } = useBackOffice();
  const { data, error, refetch } = useQuery(replyQuery(trpc, id));
  const playgroundQuery = data && new URLSearchParams({ shop: data.shop_name, view: 'try', reply: id });
  return (
    <>
      <PageHeader
        title={t('replies.one', { id })}
        back={{ href: `${prefix}/messages/replies`, label: t('replies.back') }}
        beside={data && <StatusBadge status={OUTCOME_STATUSES[data.outcome]} />}
        actions={
          playgroundQuery &&
          hasPermission(user.role, 'messages.write') && (
            <Button component={Link} variant="default" href={`${prefix}/messages/prompt?${playgroundQuery}`}>
              {t('reply.tryAgain')}
            </Button>
          )
        }
      />
      {error && !data ? (
        <LoadError error={error} onRetry={refetch} />
      ) : data ? (
        <ReplySections reply={data} />
      ) : (
        <Skeleton height={480} radius="sm" />
      )}
    </>
  );
}

function ReplySections({ reply }: { reply: Reply }) {
  const t = useTranslations('messages');
  const turns = readTurns(reply.messages);
  return (
    <>
      <Section title={t('reply.conversation')}>
        {turns.length > 0 ? <Conversation turns={turns} /> : <Text c="dimmed">{t('reply.noMessages')}</Text>}
      </Section>
      <Section title={t('reply.text')}>
        {reply.reply === null ? (
          <>
            <Text c="dimmed">{t('reply.noText')}</Text>
            {reply.warnings.length > 0 && <WarningList warnings={reply.warnings} />}
          </>
        ) : (
          <ReplyText reply={reply.reply} warnings={reply.warnings} />
        )}
      </Section>
      {reply.sent_text !== null && reply.sent_text !== reply.reply && (
        <Section title={t('reply.sentText')}>
          <Text className={styles.text} maw={720}>
            {reply.sent_text}
          </Text>
        </Section>
      )}
      <Section title={t('reply.summary')}>
        <ReplyFacts reply={reply} />
      </Section>
      {reply.kind !== 'handwritten' && reply.kind !== 'translation' && <ReplyPrompt reply={reply} />}
      {hasMembers(reply.extra) && (
        <Section title={t('reply.extra')}>
          <CopyBlock text={JSON.stringify(reply.extra, null, 2)} />
        </Section>
      )}
    </>
  );
}

const hasMembers = (value: unknown) =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0;

function ReplyFacts({ reply }: { reply: Reply }) {
  const t = useTranslations('messages');
  const figureFormatter = useReplyFigureFormatter();
  const requesterName = useRequesterName();
  const { error, order_number: orderNumber, request_id: requestId } = reply;
  const errorText =
    error && (error in ERROR_TEXTS ? t(ERROR_TEXTS[error as keyof typeof ERROR_TEXTS]) : error);
  return (
    <Facts
      facts={[
        { label: t('replies.when'), value: <Instant value={reply.created_at} /> },
        { label: t('replies.shop'), value: reply.shop_name },
        {
          label: t('replies.order'),
          value: orderNumber && <OrderNumber number={orderNumber} id={reply.order_id} />,
        },
        { label: t('replies.buyer'), value: reply.buyer_name },
        ...(errorText ? [{ label: t('reply.error'), value: errorText }] : []),
        { label: t('replies.asked'), value: requesterName(reply) },
        ...(reply.sent_at
          ? [
              { label: t('replies.sent'), value: <Instant value={reply.sent_at} /> },
              { label: t('reply.sentBy'), value: reply.sent_by },
            ]
          : []),
        { label: t('replies.model'), value: reply.model || null },
        {
          label: t('replies.tokens'),
          value: figureFormatter.tokens(reply.input_tokens, reply.output_tokens),
        },
        { label: t('replies.duration'), value: figureFormatter.duration(reply.duration_ms) },
        { label: t('reply.request'), value: requestId && <CopyableText value={requestId} /> },
      ]}
    />
  );
}

/** The order number, and a link to the order if it is stored. */
function OrderNumber({ number, id }: { number: string; id: string | null }) {
  const t = useTranslations('messages');
  const { prefix } = useBackOffice();
  return (
    <Group gap="sm">
      <CopyableText value={number} />
      {id && (
        <Anchor component={Link} className="tap-line" href={`${prefix}/orders/${id}`} prefetch={false}>
          {t('reply.openOrder')}
        </Anchor>
      )}
    </Group>
  );
}

function ReplyPrompt({ reply }: { reply: Reply }) {
  const t = useTranslations('messages');
  const { prefix } = useBackOffice();
  const { prompt_text: text, prompt_version: version, shop_name: shop } = reply;
  if (text === null || version === null)
    return (
      <Section title={t('reply.prompt')}>
        <Text c="dimmed">{t('reply.promptGone')}</Text>
      </Section>
    );
  const query = new URLSearchParams({ shop, to: String(version) });
  return (
    <Section
      title={t('reply.prompt')}
      description={t('prompt.version', { version })}
      actions={
        <Anchor component={Link} className="tap-line" href={`${prefix}/messages/prompt?${query}`}>
          {t('reply.openPrompt')}
        </Anchor>
      }
    >
      <Text className={styles.text} maw={720}>
        {text}
      </Text>
    </Section>
  );
}
