'use client';

import { useFormatter, useTranslations } from 'next-intl';
import type { RouterOutputs } from '../api/router-types';
import { ListTable } from '../ui/list/table/list-table';
import { Section } from '../ui/page/detail-page';
import { useSizeText } from '../ui/value/size-text';
import { STORE_NAMES, VARIABLE_DESCRIPTIONS } from './variable-names';

type Health = RouterOutputs['settings']['health'];
type Limit = Health['limits'][number];
type Secret = Health['secrets'][number];

/** Returns a function that describes a variable. One without a description of its own keeps the service's English one. */
function useVariableDescription(): (variable: { name: string; description: string }) => string {
  const t = useTranslations('settings');
  return ({ name, description }) =>
    name in VARIABLE_DESCRIPTIONS
      ? t(VARIABLE_DESCRIPTIONS[name as keyof typeof VARIABLE_DESCRIPTIONS])
      : description;
}

/** Returns a function that formats a limit. The end of its variable's name, such as `_BYTES`, tells the unit. */
function useLimitText(): (limit: Limit) => string {
  const t = useTranslations('settings');
  const format = useFormatter();
  const sizeText = useSizeText();
  return ({ name, value }) => {
    if (typeof value === 'string')
      return value in STORE_NAMES ? t(STORE_NAMES[value as keyof typeof STORE_NAMES]) : value;
    if (name.endsWith('_BYTES')) return sizeText(value);
    if (name.endsWith('_MS')) return t('seconds', { count: value / 1000 });
    if (name.endsWith('_DAYS')) return t('days', { count: value });
    return format.number(value);
  };
}

/** The limits in force, and which secrets are set; never their values. */
export function LimitsAndSecrets({ limits, secrets }: Pick<Health, 'limits' | 'secrets'>) {
  const t = useTranslations('settings');
  const describeVariable = useVariableDescription();
  const limitText = useLimitText();
  const variableColumn = {
    key: 'variable',
    label: t('variable'),
    render: ({ name }: { name: string }) => <span className="mono">{name}</span>,
  };
  return (
    <>
      <Section title={t('limits')} description={t('limitsHint')}>
        <ListTable<Limit>
          label={t('limits')}
          rows={limits}
          rowKey={({ name }) => name}
          columns={[
            { key: 'meaning', label: t('meaning'), heading: true, render: describeVariable },
            { key: 'value', label: t('value'), numeric: true, render: limitText },
            variableColumn,
          ]}
        />
      </Section>
      <Section title={t('secrets')} description={t('secretsHint')}>
        <ListTable<Secret>
          label={t('secrets')}
          rows={secrets}
          rowKey={({ name }) => name}
          columns={[
            { key: 'meaning', label: t('meaning'), heading: true, render: describeVariable },
            {
              key: 'set',
              label: t('value'),
              render: ({ set }) => (
                <span style={{ whiteSpace: 'nowrap' }}>{t(set ? 'isSet' : 'isNotSet')}</span>
              ),
            },
            variableColumn,
          ]}
        />
      </Section>
    </>
  );
}
