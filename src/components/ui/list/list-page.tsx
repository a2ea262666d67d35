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

/** The parts of a @tanstack/react-query query that a list needs. */
interface ListQuery<Row> {
  data: { rows: readonly Row[]; next: string | null } | undefined;
  error: unknown;
  isFetching: boolean;
  refetch: () => unknown;
}

interface Props<Row> {
  /** The name under which the choice of columns is stored. */
  id: string;
  title: string;
  description?: ReactNode;
  /** The parent page, if the list belongs to one. */
  back?: { href: string; label: string };
  /** Shown beside the title, such as a status. */
  beside?: ReactNode;
  actions?: ReactNode;
  /** Shown between the header and the list: context, or what must be done first. */
  children?: ReactNode;
  /** FilterText, FilterSelect and others, in the order of their use. */
  filters?: ReactNode;
  /** A statement about all rows, such as their number; the filters then have their own line above it. */
  summary?: ReactNode;
  /** Shown beside the choice of columns: views, downloads. */
  tools?: ReactNode;
  address: ListAddress;
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string;
  /** The name of a row for its checkbox; its key by default. */
  rowName?: (row: Row) => string;
  query: ListQuery<Row>;
  /** What to say, and to do first, while there is nothing yet; `noMatch` is added if filters hide everything. */
  empty: { title: string; hint: string; action?: ReactNode; noMatch?: ReactNode };
  /** Lets the user select rows and act on all of them. */
  selection?: Selection & { actions: (keys: readonly string[]) => ReactNode };
}

/** A list of the back office: declare columns, filters and a query, and it works like every other. */
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
          {/* A list that fits on one page needs no paging. */}
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
