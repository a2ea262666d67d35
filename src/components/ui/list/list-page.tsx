'use client';

import { Box } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { onDemand } from '../../api/on-demand';
import type { ApiRequest } from '../page/api-call-text';
import { PageHeader } from '../page/page-header';
import { FilterBar } from './filter/filter-bar';
import styles from './list.module.css';
import { ListFooter } from './list-footer';
import { EmptyState, LoadError } from './list-states';
import type { ListUrl } from './list-url';
import type { MatchingRows } from './selection-bar';
import { ColumnMenu } from './table/column-menu';
import { useColumnVisibility } from './table/column-visibility';
import { DensityButton } from './table/density-button';
import { useListPreferences } from './table/list-preferences-context';
import type { OpenRow, Selection } from './table/list-rows';
import { type Column, ListTable } from './table/list-table';
import { useReturnFromEmptyPage } from './use-return-from-empty-page';

// Loaded on demand, because most lists have no selection.
const SelectionBar = onDemand(() => import('./selection-bar').then((module) => module.SelectionBar));

/** The parts of a @tanstack/react-query query that a list needs. */
interface ListQuery<Row> {
  /** `next` is the cursor of the next page, null on the last one; absent for a list without pages. */
  data: { rows: readonly Row[]; next?: string | null } | undefined;
  error: unknown;
  isFetching: boolean;
  /** Whether `data` is still that of the previous query. */
  isPlaceholderData: boolean;
  refetch: () => unknown;
}

interface Props<Row> {
  /** The id under which the choice of columns is stored. */
  id: string;
  title: string;
  description?: ReactNode;
  /** The parent page, if the list belongs to one. */
  back?: { href: string; label: string };
  /** Shown beside the title, such as a status. */
  beside?: ReactNode;
  actions?: ReactNode;
  /** The API call that belongs to the page. */
  api?: ApiRequest;
  /** Shown between the header and the filters, such as tabs or a chart. */
  children?: ReactNode;
  /** TextFilter, SelectFilter and others, the most used first. */
  filters?: ReactNode;
  /** The names of filters that the page shows outside `filters`. */
  filtersShownElsewhere?: readonly string[];
  /** A summary of all rows, such as their number; the filters then have their own line above it. */
  summary?: ReactNode;
  /** Shown beside the choice of columns, such as downloads; a function receives the keys of the visible columns. */
  tools?: ReactNode | ((columnKeys: readonly string[]) => ReactNode);
  url: ListUrl;
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string;
  /** Returns the accessible name of a row's checkbox; by default, the row's key. */
  rowName?: (row: Row) => string;
  query: ListQuery<Row>;
  /** Shown while there are no rows yet; `noMatch` is shown if the filters hide all rows. */
  empty: { title: string; hint: string | false; action?: ReactNode; noMatch?: ReactNode };
  /** Lets the user select rows and act on them together. */
  selection?: Selection & { actions: (keys: readonly string[]) => ReactNode; matchingRows?: MatchingRows };
  /** Opens rows beside the list; the page renders what is shown there. */
  openRow?: OpenRow;
}

/** A list page of the back office: declare columns, filters and a query, and it works like every other list. */
export function ListPage<Row>(props: Props<Row>) {
  const { id, title, description, back, beside, actions, api, children } = props;
  const { filters, url, columns, rowKey, query, empty, selection } = props;
  const { summary, tools } = props;
  const t = useTranslations('common');
  const { isCompact } = useListPreferences();
  const choice = useColumnVisibility(id, columns);
  const { data, error, isFetching, isPlaceholderData: isStale } = query;
  const isEmpty = data?.rows.length === 0;
  const isReturning = useReturnFromEmptyPage(url, isEmpty, isStale);
  const selectedKeys = selection?.selectedKeys ?? [];
  const isPageSelected = data?.rows.every((row) => selectedKeys.includes(rowKey(row)));
  const filterBar = (
    <FilterBar url={url} columns={choice.visibleColumns} filtersShownElsewhere={props.filtersShownElsewhere}>
      {filters}
    </FilterBar>
  );
  return (
    <>
      <PageHeader {...{ title, description, back, beside, actions, api }} />
      {children}
      {summary !== undefined && <div className={styles.toolbar}>{filterBar}</div>}
      <div className={`${styles.toolbar} ${summary === undefined ? '' : styles.line}`}>
        {summary ?? filterBar}
        <div className={styles.tools}>
          {typeof tools === 'function' ? tools(choice.visibleColumns.map(({ key }) => key)) : tools}
          <DensityButton />
          <ColumnMenu columns={columns} choice={choice} />
        </div>
      </div>
      {error && !data ? (
        <LoadError error={error} onRetry={query.refetch} />
      ) : isEmpty && !isReturning ? (
        <EmptyState url={url} empty={empty} />
      ) : (
        <Box
          aria-busy={isFetching}
          className={styles.list}
          data-selecting={selectedKeys.length > 0 || undefined}
        >
          {(isStale || isReturning || !data) && <div className={styles.progress} />}
          {summary === undefined && (
            <span role="status" className="visually-hidden">
              {isStale && t('list.searching')}
            </span>
          )}
          <ListTable
            label={title}
            columns={choice.visibleColumns}
            rows={isReturning ? undefined : data?.rows}
            rowKey={rowKey}
            rowName={props.rowName}
            url={url}
            selection={selection}
            isStale={isStale}
            openRow={props.openRow}
            hasCards
            isCompact={isCompact}
          />
          {data?.next !== undefined && (
            <ListFooter url={url} rowCount={data.rows.length} nextCursor={data.next} isStale={isStale} />
          )}
        </Box>
      )}
      {selection && selectedKeys.length > 0 && !isStale && (
        <SelectionBar
          selectedCount={selectedKeys.length}
          matchingRows={isPageSelected ? selection.matchingRows : undefined}
          onClear={() => selection.onChange([])}
        >
          {selection.actions(selectedKeys)}
        </SelectionBar>
      )}
    </>
  );
}
