'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useMemo, useState } from 'react';
import { mayDo } from '../../server/identity/roles';
import { parcelListInput } from '../../server/tracking/shipments/schema';
import { useTRPC } from '../api/client';
import { useDesk } from '../shell/desk';
import { useOpened } from '../ui/form/opened';
import { FilterChoice } from '../ui/list/filter-choice';
import { useListAddress } from '../ui/list/list-address';
import { FilterSelect } from '../ui/list/list-filters';
import { ListPage } from '../ui/list/list-page';
import { AskManyButton } from './ask-carrier';
import { type ListedParcel, useParcelColumns } from './parcel-columns';
import { ParcelCounts } from './parcel-counts';
import { ParcelDrawer } from './parcel-drawer';

/** As many as the carrier can be asked about at once. */
const PAGE_SIZE = 40;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const IDLE_DAYS = ['3', '7', '14', '30', '60'];

const NONE: readonly string[] = [];

const FILTERS = ['status', 'shop', 'carrier', 'idle'] as const;

/** So many days ago, to the hour: the same question for a while. */
const daysAgo = (days: number) =>
  new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS - days * DAY_MS).toISOString();

/** Shipments by what they are at. */
export function ParcelsPage() {
  const t = useTranslations('tracking');
  const trpc = useTRPC();
  const { person } = useDesk();
  const address = useListAddress(FILTERS);
  const opened = useOpened('parcel');
  const columns = useParcelColumns(opened);
  const { status, shop, carrier, idle } = address.filters;
  const filter = useMemo(() => readFilter({ status, shop, carrier, idle }), [status, shop, carrier, idle]);
  // What other filters had shown is not asked about.
  const [choice, setChoice] = useState({ filter, numbers: NONE });
  const selected = choice.filter === filter ? choice.numbers : NONE;
  const { data: shops } = useQuery(trpc.shops.list.queryOptions());
  const counts = useQuery(
    trpc.parcels.counts.queryOptions({ shops: filter.shops }, { placeholderData: keepPreviousData }),
  );
  const { data: carriers = [] } = useQuery(trpc.parcels.carriers.queryOptions());
  const { data, ...query } = useQuery(
    trpc.parcels.list.queryOptions(
      { ...filter, after: address.cursor, limit: PAGE_SIZE },
      { placeholderData: keepPreviousData, meta: { ownError: true } },
    ),
  );
  const idleDays = [...new Set([...IDLE_DAYS, ...(idle ? [idle] : [])])];
  return (
    <>
      <ListPage<ListedParcel>
        id="parcels"
        title={t('parcels.title')}
        description={t('parcels.description')}
        address={address}
        filters={
          <>
            {(!shops || shops.length > 1) && (
              <FilterChoice
                address={address}
                name="shop"
                label={t('parcels.shop')}
                options={(shops ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
              />
            )}
            <FilterSelect
              address={address}
              name="carrier"
              label={t('parcels.carrier')}
              options={carrierOptions(carriers, carrier)}
            />
            <FilterSelect
              address={address}
              name="idle"
              label={t('parcels.idle')}
              options={idleDays.map((days) => ({
                value: days,
                label: t('parcels.idleDays', { days: Number(days) }),
              }))}
            />
          </>
        }
        columns={columns}
        rowKey={({ tracking_number: number }) => number}
        query={{ ...query, data: data && { rows: data.parcels, next: data.next } }}
        empty={{ title: t('parcels.empty'), hint: t('parcels.emptyHint') }}
        selection={
          mayDo(person.role, 'tracking.write')
            ? {
                selected,
                onChange: (numbers) => setChoice({ filter, numbers }),
                actions: (numbers) => <AskManyButton numbers={numbers} />,
              }
            : undefined
        }
      >
        <ParcelCounts address={address} counts={counts.data} />
      </ListPage>
      <ParcelDrawer opened={opened} />
    </>
  );
}

interface Address {
  status?: string;
  shop?: string;
  carrier?: string;
  idle?: string;
}

const list = (text: string | undefined) => text?.split(',').filter((part) => part !== '');

/** The filter that an address means. What no filter can be is left out. */
function readFilter({ status, shop, carrier, idle }: Address) {
  const { shape } = parcelListInput;
  const days = Number(idle);
  return {
    statuses: shape.statuses.safeParse(list(status)).data,
    shops: shape.shops.safeParse(list(shop)?.map(Number)).data,
    carrier: shape.carrier.safeParse(carrier).data,
    since_to: Number.isInteger(days) && days > 0 && days < 10_000 ? daysAgo(days) : undefined,
  };
}

/** Carriers by name; the chosen one also where no parcel has it. */
function carrierOptions(
  carriers: readonly { code: string; name: string | null }[],
  chosen: string | undefined,
) {
  const options = carriers.map(({ code, name }) => ({ value: code, label: name ?? code }));
  const there = options.some(({ value }) => value === chosen);
  return chosen && !there ? [...options, { value: chosen, label: chosen }] : options;
}
