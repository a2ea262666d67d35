'use client';

import { Alert, Button, Group, Skeleton, Stack, Tabs, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useFormatter, useTranslations } from 'next-intl';
import { useState } from 'react';
import { messageKeys } from '../../../i18n/message-keys';
import { useTRPC } from '../../api/client';
import { LIST_QUERY } from '../../api/page-queries';
import type { RouterOutputs } from '../../api/router-types';
import { failureOf } from '../../api/service-error';
import { OpenedDrawer } from '../../ui/dialog/opened-drawer';
import { focusIfLost } from '../../ui/keyboard/focus';
import { ListFooter } from '../../ui/list/list-footer';
import { LoadError } from '../../ui/list/list-states';
import { useListPreferences } from '../../ui/list/table/list-preferences-context';
import { useListPosition } from '../../ui/list/use-list-position';
import { ToneBadge } from '../../ui/value/tone-badge';
import { UndoList } from './undo-list';

type UndoPreview = RouterOutputs['imports']['undoPreview'];
type Counts = UndoPreview['counts'];

const LISTS: readonly UndoPreview['list'][] = ['undone', 'kept', 'missing'];

const LIST_NAMES = messageKeys('imports', {
  undone: 'undo.lists.undone',
  kept: 'undo.lists.kept',
  missing: 'undo.lists.missing',
});
const LIST_HINTS = messageKeys('imports', {
  undone: 'undo.hints.undone',
  kept: 'undo.hints.kept',
  missing: 'undo.hints.missing',
});

const sizesOf = (counts: Counts): Record<UndoPreview['list'], number> => ({
  undone: counts.removed_orders + counts.removed_items + counts.removed_shipments + counts.restored_records,
  kept: counts.kept,
  missing: counts.missing,
});

interface Props {
  id: string;
  opened: boolean;
  onClose: () => void;
}

/** Shows in three lists what undoing an import would do and, once the user has confirmed, what it did. */
export function UndoDrawer({ id, opened, onClose }: Props) {
  const t = useTranslations('imports');
  return (
    <OpenedDrawer opened={opened} onClose={onClose} size="xl" title={t('undo.title', { id })}>
      <UndoContent id={id} onClose={onClose} />
    </OpenedDrawer>
  );
}

function UndoContent({ id, onClose }: Pick<Props, 'id' | 'onClose'>) {
  const t = useTranslations('imports');
  const format = useFormatter();
  const common = useTranslations('common');
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [listName, setListName] = useState<UndoPreview['list']>('undone');
  const position = useListPosition();
  const { rowsPerPage } = useListPreferences();
  const undoImport = useMutation(
    trpc.imports.undo.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries(trpc.imports.one.pathFilter());
        void queryClient.invalidateQueries(trpc.imports.history.pathFilter());
        void queryClient.invalidateQueries(trpc.orders.pathFilter());
      },
      // The undo may do something else now, or nothing if somebody else has undone the import.
      onError: () => queryClient.invalidateQueries(trpc.imports.pathFilter()),
    }),
  );
  const undoResult = undoImport.data;
  const { data, error, isPlaceholderData, refetch } = useQuery(
    trpc.imports.undoPreview.queryOptions(
      { id, list: listName, cursor: position.cursor, limit: rowsPerPage },
      { enabled: !undoResult, staleTime: 0, ...LIST_QUERY },
    ),
  );
  const counts = undoResult?.counts ?? data?.counts;
  if (error && (!counts || failureOf(error).code === 'conflict'))
    return <LoadError error={error} onRetry={refetch} onClose={onClose} />;
  if (!counts) return <Skeleton height={296} radius="sm" />;
  const entries = undoResult ? undoResult[listName] : data?.list === listName ? data.entries : undefined;
  return (
    <Stack gap="md">
      {undoResult ? (
        <Alert
          role="status"
          color="green"
          variant="light"
          c="var(--mantine-color-text)"
          title={t('undo.done')}
        >
          <UndoText counts={counts} isDone />
        </Alert>
      ) : (
        <UndoText counts={counts} isDone={false} />
      )}
      <Group gap="sm">
        {undoResult ? (
          <Button key="close" ref={focusIfLost} onClick={onClose}>
            {common('close')}
          </Button>
        ) : (
          <>
            <Button
              color="red"
              loading={undoImport.isPending}
              disabled={sizesOf(counts).undone === 0}
              onClick={() => undoImport.mutate({ id, fingerprint: data?.fingerprint })}
            >
              {t('undo.confirm')}
            </Button>
            <Button variant="default" onClick={onClose}>
              {common('cancel')}
            </Button>
          </>
        )}
      </Group>
      <Tabs
        value={listName}
        keepMounted={false}
        onChange={(name) => {
          setListName((name ?? 'undone') as UndoPreview['list']);
          position.goToFirstPage();
        }}
      >
        <Tabs.List>
          {LISTS.map((name) => (
            <Tabs.Tab
              key={name}
              value={name}
              rightSection={
                <ToneBadge tone={name !== 'undone' && sizesOf(counts)[name] > 0 ? 'due' : 'waiting'}>
                  {format.number(sizesOf(counts)[name])}
                </ToneBadge>
              }
            >
              {t(LIST_NAMES[name])}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={listName} pt="sm">
          <Text size="sm" c="dimmed">
            {t(LIST_HINTS[listName])}
          </Text>
          <UndoList entries={entries} isDone={undoResult !== undefined} />
          {!undoResult && data && entries && (
            <ListFooter
              url={position}
              rowCount={entries.length}
              nextCursor={data.next}
              isStale={isPlaceholderData}
            />
          )}
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}

/** The sentences that say what is removed, restored and kept. */
function UndoText({ counts, isDone }: { counts: Counts; isDone: boolean }) {
  const t = useTranslations('imports');
  const format = useFormatter();
  const parts = [
    counts.removed_orders > 0 && t('undo.orders', { count: counts.removed_orders }),
    counts.removed_items > 0 && t('undo.items', { count: counts.removed_items }),
    counts.removed_shipments > 0 && t('undo.shipments', { count: counts.removed_shipments }),
  ].filter((part) => part !== false);
  return (
    <div>
      {parts.length > 0 && (
        <Text>{t(isDone ? 'undo.removed' : 'undo.removes', { what: format.list(parts) })}</Text>
      )}
      {counts.restored_records > 0 && (
        <Text>{t(isDone ? 'undo.restored' : 'undo.restores', { count: counts.restored_records })}</Text>
      )}
      {parts.length + counts.restored_records === 0 && <Text>{t('undo.nothing')}</Text>}
      {counts.kept > 0 && <Text>{t('undo.keeps', { count: counts.kept })}</Text>}
    </div>
  );
}
