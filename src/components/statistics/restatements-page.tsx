'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useTRPC } from '../api/client';
import type { RouterOutputs } from '../api/router-types';
import { ChoiceFilter } from '../ui/list/filter/choice-filter';
import { DaysFilter } from '../ui/list/filter/days-filter';
import { SelectFilter, TextFilter } from '../ui/list/filter/list-filters';
import { ListPage } from '../ui/list/list-page';
import { useListUrl } from '../ui/list/use-list-url';
import { CopyableText } from '../ui/value/copyable-text';
import { Day } from '../ui/value/time/day';
import { Instant } from '../ui/value/time/instant';
import { ChangedFigures } from './changed-figures';
import { useKnownShops } from './known-shops';
import { RESTATEMENT_FILTERS, restatementsQuery } from './queries';

/** Browsers store the choice of columns under this id, so it keeps the former name of restatements. */
const LIST_ID = 'rewrites';

type Restatement = RouterOutputs['statistics']['restatements']['restatements'][number];

/** The stored figures that were replaced, when, and by whom. */
export function RestatementsPage() {
  const t = useTranslations('statistics');
  const trpc = useTRPC();
  const { options, nameOf } = useKnownShops();
  const url = useListUrl(RESTATEMENT_FILTERS);
  const { kind, listing } = url.filters;
  const { data, ...query } = useQuery(restatementsQuery(trpc, url));
  return (
    <ListPage<Restatement>
      id={LIST_ID}
      title={t('title')}
      url={url}
      filters={
        <>
          <SelectFilter
            url={url}
            name="kind"
            label={t('kind')}
            options={[
              { value: 'shop', label: t('kinds.shop') },
              { value: 'listing', label: t('kinds.listing') },
            ]}
          />
          <ChoiceFilter url={url} name="shop" label={t('shops')} options={options} />
          {(kind === 'listing' || listing) && <TextFilter url={url} name="listing" label={t('listingId')} />}
          <DaysFilter url={url} from="from" to="to" label={t('restatements.days')} areSaleDays />
          <SelectFilter
            url={url}
            name="running"
            label={t('restatements.running')}
            noneLabel={t('restatements.pastOnly')}
            options={[{ value: 'yes', label: t('restatements.alsoRunning') }]}
          />
        </>
      }
      query={{ ...query, data: data && { rows: data.restatements, next: data.next } }}
      rowKey={({ id }) => id}
      columns={[
        {
          key: 'day',
          label: t('day'),
          heading: true,
          render: ({ date }) => <Day day={date} />,
        },
        {
          key: 'of',
          label: t('restatements.of'),
          render: ({ shop_id, listing_id: id }) => (
            <>
              {nameOf(shop_id)}
              {id !== null && (
                <>
                  {' · '}
                  <CopyableText value={String(id)} />
                </>
              )}
            </>
          ),
        },
        {
          key: 'changes',
          label: t('restatements.changes'),
          render: ({ changes }) => <ChangedFigures changes={changes} />,
        },
        {
          key: 'when',
          label: t('restatements.when'),
          render: ({ created_at: at }) => <Instant value={at} />,
        },
        {
          key: 'late',
          label: t('restatements.late'),
          numeric: true,
          render: ({ days_late: daysLate }) => t('restatements.lateDays', { count: daysLate }),
        },
        {
          key: 'by',
          label: t('restatements.by'),
          render: ({ key, user }) =>
            key ? (
              <span title={`${key.prefix}…${key.last_four}`}>{key.name}</span>
            ) : (
              (user ?? t('restatements.unknown'))
            ),
        },
      ]}
      empty={{ title: t('restatements.none'), hint: t('restatements.noneHint') }}
    ></ListPage>
  );
}
