'use client';

import { Button, Group, Select } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useMemo, useState } from 'react';
import { useFailureText } from '../api/failure-text';
import { failureOf } from '../api/service-error';
import { useReasonText } from '../ui/feedback/reason-text';
import { useCountryName, useCountrySort } from '../ui/value/country-names';
import { type Country, useAddAlias } from './country-drawer';

/**
 * Returns the code of the only country with a name or alias that contains `name` or is contained in it, ignoring case; null if no
 * country or several match. Ignores names and aliases of up to three characters.
 */
function findLikelyCountryCode(name: string, countries: readonly Country[]): string | null {
  const lowerCaseName = name.toLowerCase();
  const candidates = countries.filter(({ name: officialName, aliases }) =>
    [officialName, ...aliases]
      .map((text) => text.toLowerCase())
      .some((text) => text.length > 3 && (text.includes(lowerCaseName) || lowerCaseName.includes(text))),
  );
  return candidates.length === 1 ? candidates[0]!.code : null;
}

/** A select for the country that a name stands for, with a button that adds the name as an alias. */
export function AssignCountry({ name, countries }: { name: string; countries: readonly Country[] }) {
  const t = useTranslations('countries');
  const failureText = useFailureText();
  const reasonText = useReasonText();
  const addAlias = useAddAlias();
  const countryName = useCountryName();
  const sortCountries = useCountrySort();
  const options = useMemo(
    () =>
      sortCountries(countries).map((country) => ({
        value: country.code,
        label: countryName(country.code, country.name),
      })),
    [countries, countryName, sortCountries],
  );
  const [code, setCode] = useState(() => findLikelyCountryCode(name, countries));
  const failure = addAlias.error && failureOf(addAlias.error);
  const firstProblem = failure?.problems[0];
  return (
    <Group gap="sm" wrap="nowrap" align="flex-start">
      <Select
        aria-label={t('unmatched.country', { name })}
        placeholder={t('unmatched.choose')}
        data={options}
        value={code}
        onChange={setCode}
        error={failure && (firstProblem ? reasonText(firstProblem) : failureText(failure).title)}
        searchable
        limit={50}
        size="xs"
        maw={240}
        flex={1}
      />
      <Button
        size="xs"
        disabled={code === null}
        loading={addAlias.isPending}
        onClick={() => code && addAlias.mutate({ code, alias: name })}
      >
        {t('add')}
      </Button>
    </Group>
  );
}
