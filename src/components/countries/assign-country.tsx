'use client';

import { Button, Group, Select } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useFailureText } from '../api/failure-text';
import { failureOf } from '../api/service-error';
import { useReasonText } from '../ui/feedback/reason-text';
import { type Country, useAddAlias } from './country-drawer';

/**
 * Returns the only country with a name or alias that contains the name or is contained in it; null if there are none or several.
 * Ignores names and aliases of up to three characters.
 */
function likelyCountry(name: string, countries: readonly Country[]): string | null {
  const wanted = name.toLowerCase();
  const likely = countries.filter(({ name: official, aliases }) =>
    [official, ...aliases]
      .map((text) => text.toLowerCase())
      .some((text) => text.length > 3 && (text.includes(wanted) || wanted.includes(text))),
  );
  return likely.length === 1 ? likely[0]!.code : null;
}

/** A select for the country that a name stands for. */
export function AssignCountry({ name, countries }: { name: string; countries: readonly Country[] }) {
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
