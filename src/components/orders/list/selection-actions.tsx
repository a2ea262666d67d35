'use client';

import { Button } from '@mantine/core';
import { IconChevronDown, IconPackage } from '@tabler/icons-react';
import { useLocale, useTranslations } from 'next-intl';
import { hasPermission } from '../../../server/identity/roles';
import type { OrderFilter } from '../../../server/orders/filter/schema';
import { MAX_PRINTED_ORDERS } from '../../../server/orders/shipping/bounds';
import { useBackOffice } from '../../shell/back-office';
import { MenuButton } from '../../ui/floating/menu-button';
import { createFilterParameters } from './filter-url';
import { OrderExport } from './order-export';

/** The actions that do not change the selected orders: printing, downloading, and opening the page for tracking numbers. */
export function SelectionActions({ filter, count }: { filter: OrderFilter; count: number }) {
  const t = useTranslations('shipping');
  const language = useLocale();
  const { prefix, user } = useBackOffice();
  const query = new URLSearchParams(createFilterParameters(filter));
  const exceedsLimit = count > MAX_PRINTED_ORDERS;
  const createPrintEntry = (path: string, name: string) => ({
    label: name,
    disabled: exceedsLimit,
    pagePath: `${prefix}/orders/${path}?${query}`,
    inNewTab: true,
  });
  const sheetQuery = new URLSearchParams(query);
  sheetQuery.set('format', 'xlsx');
  sheetQuery.set('template', 'forwarder');
  sheetQuery.set('language', language);
  return (
    <>
      <MenuButton
        position="bottom-start"
        button={
          <Button
            variant="default"
            leftSection={<IconPackage size={16} stroke={1.75} aria-hidden />}
            rightSection={<IconChevronDown size={14} aria-hidden />}
          >
            {t('ship')}
          </Button>
        }
        entries={[
          createPrintEntry('pick-list', t('pickList')),
          createPrintEntry('packing-slips', t('packingSlips')),
          exceedsLimit && { heading: t('tooMany', { count: MAX_PRINTED_ORDERS }) },
          { label: t('forwarder'), fileUrl: `/api/downloads/orders?${sheetQuery}` },
          hasPermission(user.role, 'orders.write') && {
            label: t('addTracking'),
            pagePath: `${prefix}/orders/tracking`,
          },
        ]}
      />
      <OrderExport filter={filter} />
    </>
  );
}
