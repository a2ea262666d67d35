'use client';

import { useLocale, useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { LANGUAGE_TAGS } from '../../../i18n/locale';
import type { RouterOutputs } from '../../api/router-types';
import { Facts } from '../../ui/page/detail-page';
import { Instant } from '../../ui/value/time/instant';
import { formatDay } from '../../ui/value/time/new-york-days';

type Order = RouterOutputs['orders']['one'];

/** Facts about an order, most of them not shown elsewhere on its page. Unknown ones are left out. */
export function OrderFacts({ order }: { order: Order }) {
  const t = useTranslations('order');
  const tag = LANGUAGE_TAGS[useLocale()];
  const facts: { label: string; value: ReactNode }[] = [
    { label: t('facts.sold'), value: order.sale_date && <Instant value={order.sale_date} isSale /> },
    // The sale date as the marketplace exports it, shown only if the instant is unknown.
    {
      label: t('facts.soldOn'),
      value: order.sale_date ? null : order.sold_on && formatDay(order.sold_on, tag),
    },
    { label: t('facts.buyer'), value: order.buyer },
    { label: t('facts.payment'), value: order.payment_method },
    { label: t('facts.type'), value: order.order_type },
    { label: t('facts.place'), value: order.inperson_location },
    { label: t('facts.shipped'), value: order.shipped_indicator },
    { label: t('facts.carrier'), value: order.carrier_code },
    { label: t('facts.note'), value: order.note },
    { label: t('facts.created'), value: <Instant value={order.created_at} /> },
    { label: t('facts.updated'), value: <Instant value={order.updated_at} /> },
  ];
  return <Facts facts={facts.filter(({ value }) => value)} />;
}
