'use client';

import { Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useFormatter, useTranslations } from 'next-intl';
import { useTRPC } from '../api/client';
import type { RouterOutputs } from '../api/router-types';
import { Facts, Section } from '../ui/page/detail-page';
import { StatusBadge } from '../ui/value/status-badge';

type UpstreamNames = RouterOutputs['settings']['health']['upstreams'];
type ProbeResult = RouterOutputs['settings']['checkUpstreams']['carrier'];

/** The carrier and the text provider that Brickdesk uses. They are checked only on request. */
export function Upstreams({ names }: { names: UpstreamNames }) {
  const t = useTranslations('settings');
  const trpc = useTRPC();
  const check = useMutation(trpc.settings.checkUpstreams.mutationOptions());
  return (
    <Section
      id="upstreams"
      title={t('upstreams')}
      description={t('upstreamsHint')}
      actions={
        <Button variant="default" loading={check.isPending} onClick={() => check.mutate()}>
          {t('check')}
        </Button>
      }
    >
      <div aria-live="polite">
        <Facts
          facts={[
            { label: t('carrier'), value: <Upstream name={names.carrier} result={check.data?.carrier} /> },
            {
              label: t('textProvider'),
              value: <Upstream name={names.text_provider} result={check.data?.text_provider} />,
            },
          ]}
        />
      </div>
    </Section>
  );
}

function Upstream({ name, result }: { name: string | null; result: ProbeResult | undefined }) {
  const t = useTranslations('settings');
  const format = useFormatter();
  if (name === null) return <StatusBadge status="not_configured" />;
  return (
    <Group gap="sm" mih={24}>
      <Text>{name}</Text>
      {result && <StatusBadge status={result.reach} />}
      {result?.duration_ms !== undefined && result.duration_ms !== null && (
        <Text c="dimmed" className="figures">
          {t('milliseconds', { ms: format.number(result.duration_ms) })}
        </Text>
      )}
    </Group>
  );
}
