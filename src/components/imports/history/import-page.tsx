'use client';

import { Button, Skeleton, Tabs, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useFormatter, useTranslations } from 'next-intl';
import { messageKeys } from '../../../i18n/message-keys';
import { hasPermission } from '../../../server/identity/roles';
import { useTRPC } from '../../api/client';
import { onDemand } from '../../api/on-demand';
import { useBackOffice } from '../../shell/back-office';
import { useDialogEverOpened } from '../../ui/floating/use-opened-after-mount';
import { ListFooter } from '../../ui/list/list-footer';
import { LoadError } from '../../ui/list/list-states';
import { useListUrl } from '../../ui/list/use-list-url';
import { PageHeader } from '../../ui/page/page-header';
import { StatusBadge } from '../../ui/value/status-badge';
import { ToneBadge } from '../../ui/value/tone-badge';
import { IMPORT_PARTS, importQuery, partOf } from '../queries';
import { ImportFacts } from './import-facts';
import { ImportList } from './import-list';

const UndoDrawer = onDemand(() => import('./undo-drawer').then((module) => module.UndoDrawer));

const PART_NAMES = messageKeys('imports', {
  issues: 'parts.issues',
  created: 'parts.created',
  changes: 'parts.changes',
});

const EMPTY_LIST_TEXTS = messageKeys('imports', {
  issues: 'nothing.issues',
  created: 'nothing.created',
  changes: 'nothing.changes',
});

/** One import: its facts, its issues, what it created and changed, and the button that undoes it. */
export function ImportPage({ id }: { id: string }) {
  const t = useTranslations('imports');
  const format = useFormatter();
  const trpc = useTRPC();
  const { prefix, user } = useBackOffice();
  const url = useListUrl(['part']);
  const [isUndoOpen, { open: openUndo, close: closeUndo }] = useDisclosure();
  const wasUndoOpen = useDialogEverOpened(isUndoOpen);
  const part = partOf(url, IMPORT_PARTS, 'issues');
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery(importQuery(trpc, id, url));
  const importEntry = data?.import;
  // While another list is loading, `data` still belongs to the previous one.
  const listPage = data?.part === part ? data : undefined;
  const hasSucceeded = importEntry?.outcome === 'succeeded';
  return (
    <>
      <PageHeader
        title={t('named', { id })}
        back={{ href: `${prefix}/imports`, label: t('title') }}
        beside={importEntry && <StatusBadge status={importEntry.outcome} />}
        actions={
          hasSucceeded && (
            <>
              {importEntry.new_orders > 0 && (
                <Button component={Link} href={`${prefix}/orders?import=${id}`} variant="default">
                  {t('orders')}
                </Button>
              )}
              {importEntry.has_row_history && hasPermission(user.role, 'imports.write') && (
                <Button variant="default" onClick={openUndo}>
                  {t('undo.open')}
                </Button>
              )}
            </>
          )
        }
      />
      {error && !data ? (
        <LoadError error={error} onRetry={refetch} />
      ) : !importEntry ? (
        <Skeleton height={296} radius="sm" />
      ) : (
        <>
          <ImportFacts importEntry={importEntry} />
          <Tabs
            value={part}
            onChange={(name) => url.setFilters({ part: name ?? undefined })}
            mt="lg"
            keepMounted={false}
          >
            <Tabs.List>
              {IMPORT_PARTS.map((name) => (
                <Tabs.Tab
                  key={name}
                  value={name}
                  rightSection={
                    name === part && listPage ? (
                      <ToneBadge tone="waiting">{format.number(listPage.total)}</ToneBadge>
                    ) : null
                  }
                >
                  {t(PART_NAMES[name])}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            <Tabs.Panel value={part} pt="sm" aria-busy={isFetching}>
              {listPage?.total === 0 ? (
                <Text c="dimmed" py="sm">
                  {t(
                    part === 'created' || importEntry.has_row_history
                      ? EMPTY_LIST_TEXTS[part]
                      : 'historyDeleted',
                  )}
                </Text>
              ) : (
                <ImportList listPage={listPage} part={part} />
              )}
              {listPage && (
                <ListFooter
                  url={url}
                  rowCount={listPage.entries.length}
                  nextCursor={listPage.next}
                  isStale={isPlaceholderData}
                />
              )}
            </Tabs.Panel>
          </Tabs>
        </>
      )}
      {wasUndoOpen && <UndoDrawer id={id} opened={isUndoOpen} onClose={closeUndo} />}
    </>
  );
}
