'use client';

import { Alert, Box, Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useTRPC } from '../api/client';
import { SHOWS_OWN_ERROR } from '../api/page-queries';
import type { RouterOutputs } from '../api/router-types';
import { LoadError } from '../ui/list/list-states';
import { Facts, Section } from '../ui/page/detail-page';
import { PageHeader } from '../ui/page/page-header';
import { BackupsSection } from './backups';
import { DatabaseSection, JobsSection } from './database';
import { LimitsAndSecrets } from './limits';
import { Upstreams } from './upstreams';

type Health = RouterOutputs['settings']['health'];

/** The service's configuration and health. Read-only, because the configuration consists of environment variables. */
export function SettingsPage() {
  const t = useTranslations('settings');
  const trpc = useTRPC();
  const { data, error, isFetching, refetch } = useQuery(
    trpc.settings.health.queryOptions(undefined, SHOWS_OWN_ERROR),
  );
  return (
    <Box maw={960}>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={
          <Button variant="default" loading={isFetching && data !== undefined} onClick={() => refetch()}>
            {t('refresh')}
          </Button>
        }
      />
      {error && !data && <LoadError error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton height={640} />}
      {data && (
        <>
          <VersionsSection {...data} />
          <Upstreams names={data.upstreams} />
          <JobsSection queues={data.queues} upkeep={data.upkeep} />
          <BackupsSection backups={data.backups} />
          <DatabaseSection database={data.database} />
          <LimitsAndSecrets limits={data.limits} secrets={data.secrets} />
        </>
      )}
    </Box>
  );
}

function VersionsSection({ versions, uptime_seconds: uptimeSeconds, migrations }: Health) {
  const t = useTranslations('settings');
  const { pending: pendingMigrations, failed: failedMigrations } = migrations;
  const hasProblems = failedMigrations.length > 0 || pendingMigrations.length > 0;
  return (
    <Section title={t('service')}>
      {hasProblems && (
        <Alert
          color={failedMigrations.length > 0 ? 'red' : 'yellow'}
          variant="light"
          c="var(--mantine-color-text)"
          mb="md"
          title={failedMigrations.length > 0 ? t('migrationsFailed') : t('migrationsPending')}
        >
          {[...failedMigrations, ...pendingMigrations].map((name) => (
            <div key={name} className="mono">
              {name}
            </div>
          ))}
        </Alert>
      )}
      <Facts
        facts={[
          { label: 'Brickdesk', value: versions.app },
          { label: 'Node.js', value: versions.node },
          { label: 'PostgreSQL', value: versions.postgres },
          { label: t('runningFor'), value: t('uptime', uptimeParts(uptimeSeconds)) },
          { label: t('schema'), value: t('migrations', { count: migrations.applied.length }) },
        ]}
      />
    </Section>
  );
}

function uptimeParts(seconds: number) {
  const minutes = Math.floor(seconds / 60);
  return { days: Math.floor(minutes / 1440), hours: Math.floor(minutes / 60) % 24, minutes: minutes % 60 };
}
