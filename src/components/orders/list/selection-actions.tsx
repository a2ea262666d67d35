'use client';

import { Button, Menu } from '@mantine/core';
import { IconChevronDown, IconPackage } from '@tabler/icons-react';
import Link from 'next/link';
import { useLocale, useTranslations } from 'next-intl';
import { mayDo } from '../../../server/identity/roles';
import type { OrderFilter } from '../../../server/orders/list/schema';
import { MOST_PRINTED } from '../../../server/orders/shipping/bounds';
import { useDesk } from '../../shell/desk';
import { filterParameters } from './filter-address';
import { OrderExport } from './order-export';

/** What can be done with the orders of a filter besides changing them: exporting and shipping them. */
export function SelectionActions({ filter, count }: { filter: OrderFilter; count: number }) {
  const t = useTranslations('shipping');
  const language = useLocale();
  const { prefix, person } = useDesk();
  const query = new URLSearchParams(filterParameters(filter));
  const tooMany = count > MOST_PRINTED;
  const printed = (path: string, name: string) =>
    tooMany ? (
      <Menu.Item disabled>{name}</Menu.Item>
    ) : (
      <Menu.Item component={Link} href={`${prefix}/orders/${path}?${query}`} prefetch={false} target="_blank">
        {name}
      </Menu.Item>
    );
  const sheet = new URLSearchParams(query);
  sheet.set('format', 'xlsx');
  sheet.set('template', 'forwarder');
  sheet.set('language', language);
  return (
    <>
      <Menu position="bottom-start" withinPortal>
        <Menu.Target>
          <Button
            variant="default"
            leftSection={<IconPackage size={16} stroke={1.75} aria-hidden />}
            rightSection={<IconChevronDown size={14} aria-hidden />}
          >
            {t('ship')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {printed('pick-list', t('pickList'))}
          {printed('packing-slips', t('packingSlips'))}
          {tooMany && <Menu.Label>{t('tooMany', { count: MOST_PRINTED })}</Menu.Label>}
          <Menu.Item component="a" href={`/api/downloads/orders?${sheet}`} download>
            {t('forwarder')}
          </Menu.Item>
          {mayDo(person.role, 'orders.write') && (
            <Menu.Item component={Link} href={`${prefix}/orders/tracking`}>
              {t('addTracking')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <OrderExport filter={filter} />
    </>
  );
}
