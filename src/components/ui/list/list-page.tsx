'use client';

import { Box, Button, Group, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { PageHeader } from '../page/page-header';
import { useColumnChoice } from './column-choice';
import { ColumnMenu } from './column-menu';
import styles from './list.module.css';
import type { ListAddress } from './list-address';
import { Empty, Failed } from './list-states';
import { type Column, ListTable, type Selection } from './list-table';

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
  description?: ReactNode;
  /** Where the list belongs to, where it is one of another page. */
  back?: { href: string; label: string };
  /** What stands beside the title, such as a status. */
  beside?: ReactNode;
  actions?: ReactNode;
  /** Between the head and the list: what the list is about, what must be done first. */
  children?: ReactNode;
  /** FilterText, FilterSelect and others, in the order of their use. */
  filters?: ReactNode;
  /** What is said of all rows, such as how many there are; the filters then have a line of their own above it. */
  summary?: ReactNode;
  /** Beside the choice of columns: views, downloads. */
  tools?: ReactNode;
  address: ListAddress;
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string;
  /** What a row is called where it is chosen; its key where it says nothing else. */
  rowName?: (row: Row) => string;
  query: ListQuery<Row>;
  /** What to say, and to do first, where there is nothing yet. */
  empty: { title: string; hint: string; action?: ReactNode };
  /** Rows can be chosen, and something done with all that are. */
  selection?: Selection & { actions: (keys: readonly string[]) => ReactNode };
}

/** A list of the back office: declare columns, filters and a query, and it is like every other. */
export function ListPage<Row>(props: Props<Row>) {
  const { id, title, description, back, beside, actions, children } = props;
  const { filters, address, columns, rowKey, query, empty, selection } = props;
  const { summary, tools } = props;
  const t = useTranslations('common');
  const choice = useColumnChoice(id, columns);
  const { data, error, isFetching } = query;
  const chosen = selection?.selected ?? [];
  return (
    <>
      <PageHeader title={title} description={description} back={back} beside={beside} actions={actions} />
      {children}
      {summary !== undefined && (
        <div className={styles.toolbar}>
          <div className={styles.filters}>{filters}</div>
        </div>
      )}
      <div className={`${styles.toolbar} ${summary === undefined ? '' : styles.line}`}>
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
            rowName={props.rowName}
            address={address}
            selection={selection}
          />
          {/* A list that is whole on one page has nowhere to go. */}
          {(address.cursor || data?.next) && (
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
          )}
        </Box>
      )}
    </>
  );
}
