'use client';

import { Box, Button, Group, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { useColumnChoice } from './column-choice';
import { ColumnMenu } from './column-menu';
import styles from './list.module.css';
import type { ListAddress } from './list-address';
import { Empty, Failed } from './list-states';
import { type Column, ListTable, type Selection } from './list-table';
import { PageHeader } from './page-header';

/** What a query of @tanstack/react-query tells a list. */
interface ListQuery<Row> {
  data: { rows: readonly Row[]; next: string | null } | undefined;
  error: unknown;
  isFetching: boolean;
  refetch: () => unknown;
}

interface Props<Row> {
  /** Names the list where its choice of columns is kept. */
  id: string;
  title: string;
  description?: string;
  actions?: ReactNode;
  /** FilterText, FilterSelect and FilterDay, in the order of their use. */
  filters?: ReactNode;
  /** What is said of all rows, such as how many there are; the filters then have a line of their own above it. */
  summary?: ReactNode;
  /** Beside the choice of columns: views, downloads. */
  tools?: ReactNode;
  address: ListAddress;
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string;
  query: ListQuery<Row>;
  /** What to say, and to do first, where there is nothing yet. */
  empty: { title: string; hint: string; action?: ReactNode };
  /** Rows can be chosen, and something done with all that are. */
  selection?: Selection & { actions: (keys: readonly string[]) => ReactNode };
}

/** A list of the back office: declare columns, filters and a query, and it is like every other. */
export function ListPage<Row>(props: Props<Row>) {
  const { id, title, description, actions, filters, address, columns, rowKey, query, empty, selection } =
    props;
  const { summary, tools } = props;
  const t = useTranslations('common');
  const choice = useColumnChoice(id, columns);
  const { data, error, isFetching } = query;
  const chosen = selection?.selected ?? [];
  return (
    <>
      <PageHeader title={title} description={description} actions={actions} />
      {summary !== undefined && (
        <div className={styles.toolbar}>
          <div className={styles.filters}>{filters}</div>
        </div>
      )}
      <div className={styles.toolbar}>
        {selection && chosen.length > 0 ? (
          <Group gap="sm" role="status" mih={36}>
            <Text className="figures">{t('list.selected', { count: chosen.length })}</Text>
            {selection.actions(chosen)}
            <Button variant="subtle" onClick={() => selection.onChange([])}>
              {t('list.unselect')}
            </Button>
          </Group>
        ) : (
          (summary ?? <div className={styles.filters}>{filters}</div>)
        )}
        <Group gap="sm">
          {tools}
          <ColumnMenu columns={columns} choice={choice} />
        </Group>
      </div>
      {error && !data ? (
        <Failed error={error} onRetry={query.refetch} />
      ) : data?.rows.length === 0 && !address.cursor ? (
        <Empty address={address} empty={empty} />
      ) : (
        <Box aria-busy={isFetching}>
          <ListTable
            label={title}
            columns={choice.visible}
            rows={data?.rows}
            rowKey={rowKey}
            address={address}
            selection={selection}
          />
          <Group justify="flex-end" gap="sm" mt="md">
            <Button variant="default" disabled={!address.cursor} onClick={address.goPrevious}>
              {t('list.previous')}
            </Button>
            <Button
              variant="default"
              disabled={!data?.next}
              onClick={() => data?.next && address.goNext(data.next)}
            >
              {t('list.next')}
            </Button>
          </Group>
        </Box>
      )}
    </>
  );
}
