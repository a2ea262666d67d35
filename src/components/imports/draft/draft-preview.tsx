'use client';

import { Alert, Box, Button, Group, Skeleton, Stack, Tabs, Text } from '@mantine/core';
import { useIsMutating, useQuery, useQueryClient } from '@tanstack/react-query';
import { useFormatter, useTranslations } from 'next-intl';
import { useState } from 'react';
import { messageKeys } from '../../../i18n/message-keys';
import { useTRPC } from '../../api/client';
import type { RouterOutputs } from '../../api/router-types';
import { ListFooter } from '../../ui/list/list-footer';
import { LoadError } from '../../ui/list/list-states';
import { useListUrl } from '../../ui/list/use-list-url';
import { ToneBadge } from '../../ui/value/tone-badge';
import { countPreviewPart, firstPartOf, PREVIEW_PARTS, partOf, previewQuery } from '../queries';
import { useOutcomeText } from './outcome-text';
import { PreviewList } from './preview-list';
import { RejectedRows } from './rejected-rows';
import { RejectedRowsLink } from './rejected-rows-link';

type Draft = RouterOutputs['imports']['draft'];

type Preview = RouterOutputs['imports']['preview'];
type PreviewPart = Preview['part'];

const PART_NAMES = messageKeys('import', {
  new: 'parts.new',
  updated: 'parts.updated',
  unchanged: 'parts.unchanged',
  rejected: 'parts.rejected',
  warnings: 'parts.warnings',
});

const PART_HINTS = messageKeys('import', {
  new: 'hints.new',
  updated: 'hints.updated',
  unchanged: 'hints.unchanged',
  rejected: 'hints.rejected',
  warnings: 'hints.warnings',
});

interface Props {
  draft: Draft;
  onCommit: (fingerprint: string) => void;
  onFixed: () => void;
}

/** The second step: what the import would do, and the rows that it cannot accept yet. */
export function DraftPreview({ draft, onCommit, onFixed }: Props) {
  const t = useTranslations('import');
  const trpc = useTRPC();
  const url = useListUrl(['part']);
  // Decided once, so that the list stays when its last row leaves it.
  const [firstPart, setFirstPart] = useState<PreviewPart>();
  const part = partOf(url, PREVIEW_PARTS, firstPart ?? 'new');
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery(
    previewQuery(trpc, draft.id, url, firstPart),
  );
  if (data && !firstPart) setFirstPart(firstPartOf(data));
  const queryClient = useQueryClient();
  const fixesInProgress = { mutationKey: trpc.imports.fix.mutationKey() };
  const isFixing = useIsMutating(fixesInProgress) > 0;
  // Pressing the button while a cell is edited first saves the cell. The press then only shows the new preview: the button is
  // disabled too late to prevent a quick click.
  const commitPreview = (fingerprint: string) => {
    if (queryClient.isMutating(fixesInProgress) > 0) return;
    // A cell that could not be saved is not part of the import: the user returns to it, and leaving it saves it again.
    const unsavedCell = document.querySelector<HTMLElement>('input[data-unsaved]');
    if (unsavedCell) unsavedCell.focus();
    else onCommit(fingerprint);
  };
  if (error && !data) return <LoadError error={error} onRetry={refetch} />;
  if (!data) return <PreviewPlaceholder rowCount={draft.rows} />;
  // While another list is loading, `data` still belongs to the previous one.
  const partPreview = data.part === part ? data : undefined;
  const showPart = (name: string | null) => url.setFilters({ part: name ?? undefined });
  return (
    <>
      {/* Above the earlier preview rather than in its place: removing the lists would discard what the user has typed. */}
      {error && (
        <Box mb="md">
          <LoadError error={error} onRetry={refetch} />
        </Box>
      )}
      <Mismatches shop={draft.account} mismatches={data.mismatches} />
      <Summary
        preview={data}
        busy={isFetching || isFixing}
        onCommit={() => commitPreview(data.fingerprint)}
      />
      <Tabs value={part} onChange={showPart} keepMounted={false}>
        <Tabs.List>
          {PREVIEW_PARTS.map((name) => (
            <Tabs.Tab key={name} value={name} rightSection={<Count preview={data} part={name} />}>
              {t(PART_NAMES[name])}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={part} aria-busy={isFetching}>
          <Group justify="space-between" align="center" gap="sm" mih={52} py="sm">
            <Text size="sm" c="dimmed" maw={640}>
              {countPreviewPart(data, part) === 0 ? t('emptyPart') : t(PART_HINTS[part])}
            </Text>
            {part === 'rejected' && countPreviewPart(data, part) > 0 && (
              <RejectedRowsLink draftId={draft.id} />
            )}
          </Group>
          {part === 'rejected' ? (
            <RejectedRows
              draft={draft}
              rows={partPreview?.part === 'rejected' ? partPreview.entries : undefined}
              onFixed={onFixed}
            />
          ) : (
            <PreviewList preview={partPreview} part={part} draft={draft} />
          )}
          {partPreview && (
            <ListFooter
              url={url}
              rowCount={partPreview.entries.length}
              nextCursor={partPreview.next}
              isStale={isPlaceholderData}
            />
          )}
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

const MISMATCH_TEXTS = messageKeys('import', {
  currency: 'mismatches.currency',
  receipts: 'mismatches.receipts',
  listings: 'mismatches.listings',
});

/** Asks whether the file belongs to this shop if something in it suggests otherwise. */
function Mismatches({ shop, mismatches }: { shop: string; mismatches: Preview['mismatches'] }) {
  const t = useTranslations('import');
  if (mismatches.length === 0) return null;
  return (
    <Alert color="yellow" variant="light" c="var(--mantine-color-text)" mb="md">
      <Text fw={600}>{t('mismatches.title', { shop })}</Text>
      {mismatches.map(({ kind, value, count }) => (
        <Text key={`${kind} ${value}`}>{t(MISMATCH_TEXTS[kind], { value, count })}</Text>
      ))}
      <Text>{t('mismatches.advice')}</Text>
    </Alert>
  );
}

function Count({ preview, part }: { preview: Preview; part: PreviewPart }) {
  const format = useFormatter();
  const count = countPreviewPart(preview, part);
  const tone = part === 'rejected' ? 'urgent' : part === 'warnings' ? 'due' : 'waiting';
  return <ToneBadge tone={count === 0 ? 'waiting' : tone}>{format.number(count)}</ToneBadge>;
}

/** The placeholder for the first preview, which runs the whole import and rolls it back; that may take some seconds. */
function PreviewPlaceholder({ rowCount }: { rowCount: number }) {
  const t = useTranslations('import');
  return (
    <Stack gap="md" role="status">
      <Text>{t('checking', { count: rowCount })}</Text>
      <Skeleton height={36} radius="sm" />
      <Skeleton height={296} radius="sm" />
    </Stack>
  );
}

function Summary({ preview, busy, onCommit }: { preview: Preview; busy: boolean; onCommit: () => void }) {
  const t = useTranslations('import');
  const outcomeText = useOutcomeText();
  const { counts } = preview;
  const hasNoAcceptedRows = counts.accepted_rows === 0;
  return (
    <Group justify="space-between" align="flex-start" gap="md" mb="md">
      <Stack gap={0} role="status">
        <Text size="lg" fw={600}>
          {hasNoAcceptedRows
            ? t('will.impossible')
            : outcomeText({
                created: counts.new_orders,
                changed: counts.changed_orders,
                unchanged: counts.unchanged_orders,
              })}
        </Text>
        {counts.bad_rows > 0 && (
          <Text>{t('will.held', { bad: counts.bad_rows, more: counts.held_rows })}</Text>
        )}
        {counts.warnings > 0 && <Text>{t('will.warns', { count: counts.warnings })}</Text>}
      </Stack>
      <Button disabled={hasNoAcceptedRows || busy} onClick={onCommit}>
        {t('commit')}
      </Button>
    </Group>
  );
}
