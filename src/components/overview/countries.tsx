'use client';

import { Group, Skeleton, Text, Title } from '@mantine/core';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { RouterOutputs } from '../api/router-types';
import { Change } from '../ui/chart/change';
import { useFigureFormatter } from '../ui/chart/figure-formatter';
import { TableDownload } from '../ui/list/table-download';
import { useCountryName } from '../ui/value/country-names';
import { FigureTable } from './figure-table';
import type { ListLinks } from './list-links';

type Deliveries = RouterOutputs['overview']['deliveries'];

/** The countries with the most orders, and how long deliveries to them take. */
export function Countries({
  deliveries,
  input,
  links,
}: {
  deliveries: Deliveries | undefined;
  /** The input of the query for the deliveries. */
  input: object;
  links: ListLinks;
}) {
  const t = useTranslations('overview');
  const figureFormatter = useFigureFormatter();
  const countryName = useCountryName();
  if (deliveries?.countries.length === 0) return null;
  return (
    <section aria-labelledby="countries">
      <Group justify="space-between">
        <Title order={2} id="countries">
          {t('countries.title')}
        </Title>
        <TableDownload path="countries" input={input} size="xs" />
      </Group>
      <Text size="xs" c="dimmed" mb={8}>
        {t('countries.means', { count: deliveries?.max_deliveries ?? 0 })}
      </Text>
      {deliveries ? (
        <FigureTable
          label={t('countries.title')}
          rows={deliveries.countries}
          rowKey={({ country }) => country}
          columns={[
            { label: t('countries.country'), render: ({ country }) => countryName(country, country) },
            {
              label: t('figures.orders'),
              render: ({ country, orders }) => (
                <Link href={links.soldOrders({ country })} prefetch={false}>
                  {figureFormatter.figure('count', orders.value)}
                </Link>
              ),
            },
            {
              label: t('change'),
              render: ({ orders }) => <Change change={orders.change} betterDirection="up" />,
            },
            {
              label: t('figures.deliveryTime'),
              render: ({ time }) => (time ? t('days', { days: time.value }) : '–'),
            },
            {
              label: t('countries.timeChange'),
              render: ({ time }) => <Change change={time?.change ?? null} betterDirection="down" />,
            },
            {
              label: t('countries.deliveries'),
              render: ({ deliveries: count }) => figureFormatter.figure('count', count),
            },
          ]}
        />
      ) : (
        <Skeleton height={120} radius="sm" />
      )}
    </section>
  );
}
