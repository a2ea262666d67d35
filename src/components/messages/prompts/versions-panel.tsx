'use client';

import { Button, Radio, Stack, Text, Title } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { type Column, ListTable } from '../../ui/list/table/list-table';
import { RowMenu } from '../../ui/list/table/row-menu';
import { Section } from '../../ui/page/detail-page';
import { StatusBadge } from '../../ui/value/status-badge';
import { Instant } from '../../ui/value/time/instant';
import { PromptDiff } from './prompt-diff';
import { PublishQuestion, useVersionMutations } from './publish-draft';
import type { PromptUrl, PromptVersion, ShopPrompt } from './shop-prompt';

interface Props {
  prompt: ShopPrompt;
  url: PromptUrl;
  canWrite: boolean;
  /** False while there is unsaved text, which a publication would leave out. */
  canPublish: boolean;
}

/** The versions with their actions, and a comparison of any two. */
export function VersionsPanel({ prompt, url, canWrite, canPublish }: Props) {
  const t = useTranslations('messages');
  const { versions } = prompt;
  const columns = useVersionColumns({ prompt, url, canWrite, canPublish });
  const { from, to } = findComparedVersions(prompt, url);
  if (versions.length === 0)
    return (
      <Stack gap="sm" py="xl" align="center" ta="center">
        <Title order={2}>{t('versions.none')}</Title>
        {canWrite && (
          <>
            <Text c="dimmed" maw={480}>
              {t('versions.noneHint')}
            </Text>
            <Button onClick={() => url.setFilters({ view: 'edit' })}>{t('versions.writeFirst')}</Button>
          </>
        )}
      </Stack>
    );
  return (
    <Stack gap="md">
      <ListTable
        label={t('versions.table')}
        rows={versions}
        rowKey={({ id }) => String(id)}
        columns={columns}
      />
      {from && to && from !== to ? (
        <Section title={t('diff.title', { from: from.version, to: to.version })}>
          <PromptDiff from={from} to={to} />
        </Section>
      ) : (
        <Section
          title={to ? t('prompt.version', { version: to.version }) : ''}
          description={versions.length > 1 ? t('diff.choose') : undefined}
        >
          <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }} maw={720}>
            {to?.text}
          </Text>
        </Section>
      )}
    </Stack>
  );
}

/**
 * Returns the two versions to compare, as the URL names them. By default, `to` is the draft or else the live version, and `from` is
 * the live version or, if that is `to`, the version before it. If there is no such version, `from` is the same as `to`.
 * Both are undefined if there are no versions.
 */
function findComparedVersions({ versions, live, draft }: ShopPrompt, { filters }: PromptUrl) {
  const findVersion = (numberText: string | undefined) =>
    versions.find(({ version }) => String(version) === numberText);
  const to = findVersion(filters.to) ?? draft ?? live ?? versions[0];
  const fallback = to === live ? versions.find(({ version }) => to && version < to.version) : live;
  return { from: findVersion(filters.from) ?? fallback ?? to, to };
}

function useVersionColumns({ prompt, url, canWrite, canPublish }: Props): Column<PromptVersion>[] {
  const t = useTranslations('messages');
  const common = useTranslations('common');
  const { publish, rollBack } = useVersionMutations();
  const comparedPair = findComparedVersions(prompt, url);
  const createRadioColumn = (side: 'from' | 'to', label: string): Column<PromptVersion> => ({
    key: side,
    label,
    render: ({ version }) => (
      <Radio
        size="xs"
        classNames={{ radio: 'tap-area' }}
        name={`compare-${side}`}
        aria-label={common('labelled', { label, text: t('prompt.version', { version }) })}
        checked={comparedPair[side]?.version === version}
        onChange={() => url.setFilters({ [side]: String(version) })}
      />
    ),
  });
  return [
    {
      key: 'version',
      label: t('versions.version'),
      heading: true,
      render: ({ version }) => t('prompt.version', { version }),
    },
    { key: 'state', label: t('versions.state'), render: ({ state }) => <StatusBadge status={state} /> },
    { key: 'created', label: t('versions.created'), render: ({ created_at: at }) => <Instant value={at} /> },
    { key: 'by', label: t('versions.by'), render: ({ created_by: creator }) => creator ?? '–' },
    {
      key: 'published',
      label: t('versions.published'),
      render: ({ published_at: at }) => <Instant value={at} />,
    },
    ...(prompt.versions.length > 1
      ? [createRadioColumn('from', t('versions.from')), createRadioColumn('to', t('versions.to'))]
      : []),
    ...(canWrite
      ? [
          {
            key: 'actions',
            label: t('versions.actions'),
            actions: true,
            render: ({ id, version, state }: PromptVersion) => (
              <RowMenu
                name={t('prompt.version', { version })}
                actions={[
                  {
                    label: t('versions.edit'),
                    onClick: () => url.setFilters({ view: 'edit', base: String(version) }),
                  },
                  canPublish &&
                    state === 'draft' && {
                      label: t('versions.publish'),
                      confirm: {
                        message: <PublishQuestion prompt={prompt} version={version} />,
                        onConfirm: () => publish.mutateAsync({ id }),
                      },
                    },
                  canPublish &&
                    state === 'retired' && {
                      label: t('versions.rollBack'),
                      confirm: {
                        message: t('versions.rollBackAsk', { shop: prompt.shop, version }),
                        onConfirm: () => rollBack.mutateAsync({ id }),
                      },
                    },
                ]}
              />
            ),
          },
        ]
      : []),
  ];
}
