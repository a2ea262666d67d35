'use client';

import { useQuery } from '@tanstack/react-query';
import { useFormatter, useTranslations } from 'next-intl';
import { useTRPC } from '../api/client';
import { onDemand } from '../api/on-demand';
import type { RouterOutputs } from '../api/router-types';
import { ListTable } from '../ui/list/table/list-table';
import { Section } from '../ui/page/detail-page';
import { Instant } from '../ui/value/time/instant';
import type { Country } from './country-drawer';

type UnmatchedName = RouterOutputs['countries']['unmatched'][number];

const AssignCountry = onDemand(() => import('./assign-country').then((module) => module.AssignCountry));

/** The country names in orders that match no country; if `canWrite`, each has a select to assign a country. */
export function UnmatchedNames({
  countries,
  canWrite,
}: {
  countries: readonly Country[];
  canWrite: boolean;
}) {
  const t = useTranslations('countries');
  const format = useFormatter();
  const trpc = useTRPC();
  const { data: unmatchedNames } = useQuery(trpc.countries.unmatched.queryOptions());
  if (!unmatchedNames || unmatchedNames.length === 0) return null;
  return (
    <Section title={t('unmatched.title', { count: unmatchedNames.length })} description={t('unmatched.hint')}>
      <ListTable<UnmatchedName>
        label={t('unmatched.name')}
        rows={unmatchedNames}
        rowKey={({ country_name: name }) => name}
        columns={[
          {
            key: 'name',
            label: t('unmatched.name'),
            heading: true,
            render: ({ country_name: name }) => name,
          },
          {
            key: 'orders',
            label: t('unmatched.orders'),
            numeric: true,
            render: ({ orders }) => format.number(orders),
          },
          {
            key: 'last',
            label: t('unmatched.last'),
            render: ({ last_order_at: at }) => <Instant value={at} />,
          },
          ...(canWrite
            ? [
                {
                  key: 'means',
                  label: t('unmatched.means'),
                  render: ({ country_name: name }: UnmatchedName) => (
                    <AssignCountry name={name} countries={countries} />
                  ),
                },
              ]
            : []),
        ]}
      />
    </Section>
  );
}
