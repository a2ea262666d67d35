'use client';

import { Alert, Anchor, Skeleton, Stack, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { hasPermission } from '../../../server/identity/roles';
import { useTRPC } from '../../api/client';
import { useBackOffice } from '../../shell/back-office';
import { LoadError } from '../../ui/list/list-states';
import { useListUrl } from '../../ui/list/use-list-url';
import { PageHeader } from '../../ui/page/page-header';
import { promptQuery } from '../queries';
import { PlaygroundPanel } from './playground-panel';
import { PromptEditor } from './prompt-editor';
import { PublishDraft } from './publish-draft';
import { type PromptUrl, readPrompt, type ShopPrompt } from './shop-prompt';
import { useUnsavedTextBase } from './unsaved-text';
import { VersionsPanel } from './versions-panel';

/** The prompt of one shop: its versions, the editor of the next one, and the playground. */
export function PromptPage() {
  const t = useTranslations('messages');
  const { prefix } = useBackOffice();
  const url = useListUrl(['shop', 'view', 'from', 'to', 'base', 'reply']);
  const { shop } = url.filters;
  if (shop !== undefined) return <LoadedPrompt key={shop} shop={shop} url={url} />;
  return (
    <PageHeader
      title={t('prompt.noShop')}
      description={t('prompt.noShopHint')}
      back={{ href: `${prefix}/messages`, label: t('prompt.back') }}
    />
  );
}

function LoadedPrompt({ shop, url }: { shop: string; url: PromptUrl }) {
  const t = useTranslations('messages');
  const trpc = useTRPC();
  const { prefix, user } = useBackOffice();
  const { data, error, refetch } = useQuery(promptQuery(trpc, shop));
  const { data: shops } = useQuery(trpc.shops.names.queryOptions());
  const prompt = data && readPrompt(data.shop_name, data.versions);
  const canWrite = hasPermission(user.role, 'prompts.write');
  const unsavedBase = useUnsavedTextBase(prompt?.shop ?? shop);
  const isUnsaved = canWrite && unsavedBase !== null;
  return (
    <>
      <PageHeader
        title={prompt?.shop ?? shop}
        back={{ href: `${prefix}/messages`, label: t('prompt.back') }}
        beside={
          prompt && (
            <Text c="dimmed">
              {prompt.live ? t('prompt.liveVersion', { version: prompt.live.version }) : t('prompt.notLive')}
            </Text>
          )
        }
        actions={
          prompt?.draft &&
          canWrite && <PublishDraft prompt={prompt} draft={prompt.draft} disabled={isUnsaved} />
        }
      />
      {prompt && shops && !shops.some(({ name }) => name === prompt.shop) && (
        <Alert role="alert" color="yellow" variant="light" c="var(--mantine-color-text)" mb="md">
          {t('prompt.unknownShop')}
        </Alert>
      )}
      {/* Publishing or trying a stored version would leave the unsaved text out, without the user noticing. */}
      {isUnsaved && (
        <Text role="status" mb="md">
          {t.rich('prompt.unsaved', {
            link: (chunks) => (
              <Anchor
                component="button"
                type="button"
                onClick={() => url.setFilters({ view: 'edit', base: unsavedBase || undefined })}
              >
                {chunks}
              </Anchor>
            ),
          })}
        </Text>
      )}
      {error && !data ? (
        <LoadError error={error} onRetry={refetch} />
      ) : prompt ? (
        <PromptTabs prompt={prompt} url={url} canWrite={canWrite} isUnsaved={isUnsaved} />
      ) : (
        <Skeleton height={480} radius="sm" />
      )}
    </>
  );
}

interface TabsProps {
  prompt: ShopPrompt;
  url: PromptUrl;
  canWrite: boolean;
  /** Whether the editor has unsaved text. */
  isUnsaved: boolean;
}

const VIEWS = ['versions', 'edit', 'try'] as const;

function PromptTabs({ prompt, url, canWrite, isUnsaved }: TabsProps) {
  const t = useTranslations('messages');
  const { user } = useBackOffice();
  const canTry = hasPermission(user.role, 'messages.write');
  const view = VIEWS.find((name) => name === url.filters.view) ?? 'versions';
  return (
    <Tabs
      value={view}
      // The editor is created again whenever its tab is opened, so that it starts from the version in the URL, or else from the
      // draft or the live version. Unsaved text is kept.
      keepMounted={false}
      onChange={(name) => url.setFilters({ view: name === 'versions' ? undefined : (name ?? undefined) })}
    >
      <Tabs.List mb="md">
        <Tabs.Tab value="versions">{t('prompt.tabs.versions')}</Tabs.Tab>
        <Tabs.Tab value="edit">{t('prompt.tabs.edit')}</Tabs.Tab>
        <Tabs.Tab value="try">{t('prompt.tabs.try')}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="versions" keepMounted>
        <VersionsPanel prompt={prompt} url={url} canWrite={canWrite} canPublish={!isUnsaved} />
      </Tabs.Panel>
      <Tabs.Panel value="edit">
        {canWrite ? (
          <PromptEditor key={url.filters.base ?? ''} prompt={prompt} url={url} />
        ) : (
          <Text c="dimmed">{t('edit.notAllowed')}</Text>
        )}
      </Tabs.Panel>
      <Tabs.Panel value="try" keepMounted>
        <Stack gap="md">
          {canTry ? (
            <PlaygroundPanel prompt={prompt} replyId={url.filters.reply} disabled={isUnsaved} />
          ) : (
            <Text c="dimmed">{t('try.notAllowed')}</Text>
          )}
        </Stack>
      </Tabs.Panel>
    </Tabs>
  );
}
