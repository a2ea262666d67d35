'use client';

import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { hasPermission } from '../../server/identity/roles';
import { useTRPC } from '../api/client';
import { onDemand } from '../api/on-demand';
import { useBackOffice } from '../shell/back-office';
import { useCurrentHour } from '../shell/current-time';
import { useDialogEverOpened } from '../ui/floating/use-opened-after-mount';
import { ChoiceFilter } from '../ui/list/filter/choice-filter';
import { SelectFilter } from '../ui/list/filter/list-filters';
import { ListPage } from '../ui/list/list-page';
import { useSidePanel } from '../ui/list/panel/side-panel';
import { useListUrl } from '../ui/list/use-list-url';
import { useSelectionReset } from '../ui/list/use-selection-reset';
import { CarrierQueryButton } from './carrier-query';
import { SHIPMENT_FILTERS, shipmentCountsQuery, shipmentListQuery } from './queries';
import { type ListedShipment, useShipmentColumns } from './shipment-columns';
import { ShipmentCounts } from './shipment-counts';

const ShipmentDrawer = onDemand(() => import('./shipment-drawer').then((module) => module.ShipmentDrawer));

const IDLE_DAY_COUNTS = ['3', '7', '14', '30', '60'];

/** The list of shipments. */
export function ShipmentsPage() {
  const t = useTranslations('tracking');
  const trpc = useTRPC();
  const { prefix, user } = useBackOffice();
  const url = useListUrl(SHIPMENT_FILTERS);
  const panel = useSidePanel('shipment');
  const wasDrawerOpened = useDialogEverOpened(panel.openKey !== null);
  const columns = useShipmentColumns(panel);
  const { carrier, idle } = url.filters;
  const [selectedNumbers, setSelectedNumbers] = useState<readonly string[]>([]);
  useSelectionReset(url.filters, () => setSelectedNumbers([]));
  const { data: shops } = useQuery(trpc.shops.names.queryOptions());
  const { data: counts } = useQuery(shipmentCountsQuery(trpc, url));
  const { data: carriers = [] } = useQuery(trpc.shipments.carriers.queryOptions());
  const { data, ...query } = useQuery(shipmentListQuery(trpc, url, useCurrentHour()));
  const idleDayCounts = [...new Set([...IDLE_DAY_COUNTS, ...(idle ? [idle] : [])])];
  return (
    <>
      <ListPage<ListedShipment>
        id="shipments"
        title={t('shipments.title')}
        description={t('shipments.description')}
        url={url}
        filtersShownElsewhere={['status']}
        filters={
          <>
            {(!shops || shops.length > 1) && (
              <ChoiceFilter
                url={url}
                name="shop"
                label={t('shipments.shop')}
                options={(shops ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
              />
            )}
            <SelectFilter
              url={url}
              name="carrier"
              label={t('shipments.carrier')}
              options={carrierOptions(carriers, carrier)}
            />
            <SelectFilter
              url={url}
              name="idle"
              label={t('shipments.idle')}
              options={idleDayCounts.map((count) => ({
                value: count,
                label: t('shipments.idleDays', { days: Number(count) }),
              }))}
            />
          </>
        }
        columns={columns}
        rowKey={({ tracking_number: number }) => number}
        query={{ ...query, data: data && { rows: data.shipments, next: data.next } }}
        empty={{
          title: t('shipments.empty'),
          hint: t('shipments.emptyHint'),
          action: hasPermission(user.role, 'orders.write') && (
            <Button component={Link} href={`${prefix}/orders/tracking`}>
              {t('shipments.add')}
            </Button>
          ),
        }}
        selection={
          hasPermission(user.role, 'tracking.write')
            ? {
                selectedKeys: selectedNumbers,
                onChange: setSelectedNumbers,
                actions: (numbers) => <CarrierQueryButton numbers={numbers} />,
              }
            : undefined
        }
      >
        <ShipmentCounts url={url} counts={counts} />
      </ListPage>
      {wasDrawerOpened && <ShipmentDrawer panel={panel} />}
    </>
  );
}

/** Returns an option for each carrier, and one for the chosen carrier even if no shipment has it. */
function carrierOptions(
  carriers: readonly { code: string; name: string | null }[],
  chosenCarrier: string | undefined,
) {
  const options = carriers.map(({ code, name }) => ({ value: code, label: name ?? code }));
  const isListed = options.some(({ value }) => value === chosenCarrier);
  return chosenCarrier && !isListed ? [...options, { value: chosenCarrier, label: chosenCarrier }] : options;
}
