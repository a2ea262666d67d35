'use client';

import { Button, Group, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useFormatter, useTranslations } from 'next-intl';
import { useState } from 'react';
import { useTRPC } from '../api/client';
import { useFailureText } from '../api/failure-text';
import type { RouterOutputs } from '../api/router-types';
import { failureOf } from '../api/service-error';
import { useReasonText } from '../ui/feedback/reason-text';
import { ListTable } from '../ui/list/table/list-table';
import { Section } from '../ui/page/detail-page';
import { Instant } from '../ui/value/instant';
import { type Country, useAddAlias } from './country-drawer';

type Unmatched = RouterOutputs['countries']['unmatched'][number];

/** The most likely country for a name: one whose name or alias contains it or is contained in it. */
function likelyCountry(name: string, countries: readonly Country[]): string | null {
  const wanted = name.toLowerCase();
  const likely = countries.filter(({ name: official, aliases }) =>
    [official, ...aliases]
      .map((text) => text.toLowerCase())
      .some((text) => text.length > 3 && (text.includes(wanted) || wanted.includes(text))),
  );
  return likely.length === 1 ? likely[0]!.code : null;
}

/** Country names in orders that match none, with a choice of the country to assign from now on. */
export function UnmatchedNames({
  countries,
  mayWrite,
}: {
  countries: readonly Country[];
  mayWrite: boolean;
}) {
  const t = useTranslations('countries');
  const format = useFormatter();
  const trpc = useTRPC();
  const { data: names } = useQuery(trpc.countries.unmatched.queryOptions());
  if (!names || names.length === 0) return null;
  return (
    <Section title={t('unmatched.title', { count: names.length })} description={t('unmatched.hint')}>
      <ListTable<Unmatched>
        label={t('unmatched.name')}
        rows={names}
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
            figures: true,
            render: ({ orders }) => format.number(orders),
          },
          {
            key: 'last',
            label: t('unmatched.last'),
            render: ({ last_order_at: at }) => <Instant value={at} />,
          },
          ...(mayWrite
            ? [
                {
                  key: 'means',
                  label: t('unmatched.means'),
                  render: ({ country_name: name }: Unmatched) => <Means name={name} countries={countries} />,
                },
              ]
            : []),
        ]}
      />
    </Section>
  );
}

function Means({ name, countries }: { name: string; countries: readonly Country[] }) {
  const t = useTranslations('countries');
  const failureText = useFailureText();
  const reasonText = useReasonText();
  const add = useAddAlias();
  const [code, setCode] = useState(() => likelyCountry(name, countries));
  const problem = add.error && failureOf(add.error);
  const first = problem?.problems[0];
  return (
    <Group gap="sm" wrap="nowrap" align="flex-start">
      <Select
        aria-label={t('unmatched.country', { name })}
        placeholder={t('unmatched.choose')}
        data={countries.map((country) => ({ value: country.code, label: country.name }))}
        value={code}
        onChange={setCode}
        error={problem && (first ? reasonText(first) : failureText(problem).title)}
        searchable
        limit={50}
        size="xs"
        maw={240}
        flex={1}
      />
      <Button
        size="xs"
        disabled={code === null}
        loading={add.isPending}
        onClick={() => code && add.mutate({ code, alias: name })}
      >
        {t('add')}
      </Button>
    </Group>
  );
}
