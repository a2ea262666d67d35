'use client';

import { useFormatter, useTranslations } from 'next-intl';
import { messageKeys } from '../../i18n/message-keys';
import type { RouterOutputs } from '../api/router-types';
import { ListTable } from '../ui/list/table/list-table';
import { Section } from '../ui/page/detail-page';
import { useSizeText } from '../ui/value/size-text';

type Health = RouterOutputs['settings']['health'];
type Limit = Health['limits'][number];
type Secret = Health['secrets'][number];

/**
 * The descriptions of the variables in the reader's language. An unknown variable is shown with the service's English description.
 */
const DESCRIPTIONS = messageKeys('settings', {
  MAX_BODY_BYTES: 'variables.maxBody',
  IMPORT_MAX_BODY_BYTES: 'variables.importMaxBody',
  IMPORT_MAX_ROWS: 'variables.importMaxRows',
  BODY_TIMEOUT_MS: 'variables.bodyTimeout',
  UPLOAD_BYTES_PER_SECOND: 'variables.uploadSpeed',
  OPENAI_MAX_OUTPUT_TOKENS: 'variables.replyLength',
  REPLY_TOKENS_PER_DAY: 'variables.replyTokens',
  UNAUTHENTICATED_LIMIT_PER_MINUTE: 'variables.unauthenticatedLimit',
  RATE_LIMIT_PER_MINUTE: 'variables.rateLimit',
  RATE_LIMIT_STORE: 'variables.rateLimitStore',
  RECORD_RETENTION_DAYS: 'variables.retention',
  DATABASE_POOL_SIZE: 'variables.pool',
  IMPORT_POOL_SIZE: 'variables.importPool',
  CARRIER_TIMEOUT_MS: 'variables.carrierTimeout',
  OPENAI_TIMEOUT_MS: 'variables.textTimeout',
  SHUTDOWN_TIMEOUT_MS: 'variables.shutdownTimeout',
  DATABASE_URL: 'variables.databaseUrl',
  DATABASE_REPLICA_URL: 'variables.replicaUrl',
  ADMIN_PASSWORD: 'variables.adminPassword',
  NEXTAUTH_SECRET: 'variables.sessionSecret',
  OIDC_CLIENT_SECRET: 'variables.identitySecret',
  TRACK17_WEBHOOK_SECRET: 'variables.callbackSecret',
  TRACK17_KEY: 'variables.track17Key',
  YANWEN_ACCOUNT: 'variables.yanwenAccount',
  SMTP_URL: 'variables.smtp',
  OPENAI_API_KEY: 'variables.textKey',
});

const STORE_NAMES = messageKeys('settings', { memory: 'stores.memory', postgres: 'stores.postgres' });

function useVariableDescription(): (variable: { name: string; description: string }) => string {
  const t = useTranslations('settings');
  return ({ name, description }) =>
    name in DESCRIPTIONS ? t(DESCRIPTIONS[name as keyof typeof DESCRIPTIONS]) : description;
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
            { key: 'value', label: t('value'), figures: true, render: limitText },
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
            { key: 'set', label: t('value'), render: ({ set }) => (set ? t('isSet') : t('isNotSet')) },
            variableColumn,
          ]}
        />
      </Section>
    </>
  );
}
