'use client';

import { Anchor, Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useFormatter, useTranslations } from 'next-intl';
import { hasPermission } from '../../../server/identity/roles';
import { IMPORT_OUTCOMES } from '../../../server/orders/history/history-filters';
import { useTRPC } from '../../api/client';
import type { RouterOutputs } from '../../api/router-types';
import { useBackOffice } from '../../shell/back-office';
import { ChoiceFilter } from '../../ui/list/filter/choice-filter';
import { ClearFilters } from '../../ui/list/filter/clear-filters';
import { DaysFilter } from '../../ui/list/filter/days-filter';
import { SelectFilter, TextFilter } from '../../ui/list/filter/list-filters';
import { ListPage } from '../../ui/list/list-page';
import { valuesOf } from '../../ui/list/list-url';
import type { Column } from '../../ui/list/table/list-table';
import { useListUrl } from '../../ui/list/use-list-url';
import { ClippedText } from '../../ui/value/clipped-text';
import { CopyableText } from '../../ui/value/copyable-text';
import { StatusBadge, useStatusOptions } from '../../ui/value/status-badge';
import { Instant } from '../../ui/value/time/instant';
import { useReaderZone } from '../../ui/value/time/zones';
import { SOURCE_NAMES, useSourceName } from '../import-names';
import styles from '../imports.module.css';
import { createSampleImportRequest } from '../upload/sample-import-request';
import { HISTORY_FILTERS } from './history-filter';
import { historyQuery } from './history-queries';

type Import = RouterOutputs['imports']['history']['entries'][number];

/** Every import by API, command or page, newest first. */
export function HistoryPage() {
  const t = useTranslations('imports');
  const format = useFormatter();
  const trpc = useTRPC();
  const { prefix, user } = useBackOffice();
  const sourceName = useSourceName();
  const statusOptions = useStatusOptions();
  const url = useListUrl(HISTORY_FILTERS);
  const { data: shops = [] } = useQuery(trpc.shops.names.queryOptions());
  const { data, ...query } = useQuery(historyQuery(trpc, url, useReaderZone()));
  const createFigureColumn = (
    key: string,
    label: string,
    countOf: (entry: Import) => number,
  ): Column<Import> => ({
    key,
    label,
    numeric: true,
    render: (entry: Import) =>
      countOf(entry) === 0 ? (
        <Text span c="dimmed">
          0
        </Text>
      ) : (
        format.number(countOf(entry))
      ),
  });
  const canImport = hasPermission(user.role, 'imports.write');
  const importLink = canImport && (
    <Button component={Link} href={`${prefix}/import`}>
      {t('import')}
    </Button>
  );
  return (
    <ListPage<Import>
      id="imports"
      title={t('title')}
      description={t('description')}
      actions={importLink}
      api={createSampleImportRequest(Number(valuesOf(url.filters.shop)[0] ?? shops[0]?.id ?? 1))}
      url={url}
      filters={
        <>
          <ChoiceFilter
            url={url}
            name="shop"
            label={t('shop')}
            options={shops.map(({ id, name }) => ({ value: String(id), label: name }))}
          />
          <SelectFilter
            url={url}
            name="source"
            label={t('source')}
            options={(Object.keys(SOURCE_NAMES) as (keyof typeof SOURCE_NAMES)[]).map((value) => ({
              value,
              label: sourceName(value),
            }))}
          />
          <ChoiceFilter
            url={url}
            name="outcome"
            label={t('outcome')}
            options={statusOptions(IMPORT_OUTCOMES)}
          />
          <SelectFilter
            url={url}
            name="warnings"
            label={t('warnings')}
            options={[
              { value: 'yes', label: t('withWarnings') },
              { value: 'no', label: t('withoutWarnings') },
            ]}
          />
          <DaysFilter url={url} from="from" to="to" label={t('when')} />
          <TextFilter url={url} name="actor" label={t('actor')} />
          <TextFilter url={url} name="file" label={t('file')} />
          {url.hasFilters && <ClearFilters url={url} />}
        </>
      }
      query={{ ...query, data: data && { rows: data.entries, next: data.next } }}
      rowKey={({ id }) => id}
      columns={[
        {
          key: 'import',
          label: t('one'),
          heading: true,
          render: ({ id }) => (
            <Anchor
              component={Link}
              href={`${prefix}/imports/${id}`}
              prefetch={false}
              className={`figures ${styles.nowrap}`}
            >
              {t('named', { id })}
            </Anchor>
          ),
        },
        {
          key: 'when',
          label: t('when'),
          card: 'beside',
          render: ({ created_at: at }) => <Instant value={at} brief />,
        },
        {
          key: 'shop',
          label: t('shop'),
          card: 'fact',
          render: ({ account }) => <ClippedText narrow text={account} />,
        },
        {
          key: 'source',
          label: t('source'),
          render: ({ source }) => <span className={styles.nowrap}>{sourceName(source)}</span>,
        },
        { key: 'actor', label: t('actor'), render: ({ actor }) => actor },
        { key: 'file', label: t('file'), grow: true, render: ({ file_name: name }) => name ?? '–' },
        {
          ...createFigureColumn('rows', t('rows'), ({ rows, held_rows: heldRows }) => rows + heldRows),
          hidden: true,
        },
        { ...createFigureColumn('new', t('new'), (entry) => entry.new_orders), card: 'labelled' },
        { ...createFigureColumn('changed', t('changed'), (entry) => entry.changed_orders), card: 'labelled' },
        createFigureColumn('held', t('heldBack'), (entry) => entry.held_rows),
        createFigureColumn('warnings', t('warnings'), ({ warnings }) => warnings),
        { ...createFigureColumn('errors', t('errors'), ({ errors }) => errors), hidden: true },
        {
          key: 'request',
          label: t('request'),
          hidden: true,
          render: ({ request_id: id }) => (id ? <CopyableText value={id} /> : '–'),
        },
        {
          key: 'outcome',
          label: t('outcome'),
          card: 'end',
          render: ({ outcome }) => <StatusBadge status={outcome} />,
        },
      ]}
      empty={{ title: t('none'), hint: canImport && t('noneHint'), action: importLink }}
    />
  );
}
