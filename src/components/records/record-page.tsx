'use client';

import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useTRPC } from '../api/client';
import { useBackOffice } from '../shell/back-office';
import { LoadError } from '../ui/list/list-states';
import { Facts, Section } from '../ui/page/detail-page';
import { PageHeader } from '../ui/page/page-header';
import { CopyBlock } from '../ui/value/copy-block';
import { CopyableText } from '../ui/value/copyable-text';
import { useSizeText } from '../ui/value/size-text';
import { Instant } from '../ui/value/time/instant';
import { Pairs } from './pairs';
import { recordQuery } from './queries';
import { decodeBody, pairsOf } from './record-body';

/** A debug record: the request as it is stored, with credentials masked. */
export function RecordPage({ id }: { id: string }) {
  const t = useTranslations('records');
  const trpc = useTRPC();
  const { prefix } = useBackOffice();
  const sizeText = useSizeText();
  const { data: record, error, refetch } = useQuery(recordQuery(trpc, id));
  const body = record && decodeBody(record);
  return (
    <>
      <PageHeader
        title={record ? `${record.method} ${id}` : t('oneRecord', { id })}
        back={{ href: `${prefix}/records`, label: t('title') }}
      />
      {error && <LoadError error={error} onRetry={refetch} />}
      {!record && !error && <Skeleton height={480} />}
      {record && body && (
        <>
          <Section title={t('call')}>
            <Facts
              facts={[
                { label: t('when'), value: <Instant value={record.received_at} /> },
                { label: t('method'), value: <span className="mono">{record.method}</span> },
                { label: t('key'), value: record.api_key },
                {
                  label: t('request'),
                  value: record.request_id && <CopyableText value={record.request_id} />,
                },
              ]}
            />
          </Section>
          <Section title={t('query')}>
            <Pairs pairs={pairsOf(record.query)} emptyText={t('noQuery')} />
          </Section>
          <Section title={t('headers')}>
            <Pairs pairs={pairsOf(record.headers)} emptyText={t('noHeaders')} />
          </Section>
          <Section
            title={t('body')}
            description={t(body.isText ? 'bodyIs' : 'bodyIsBinary', { size: sizeText(record.size) })}
          >
            {body.text === '' ? <Text c="dimmed">{t('noBody')}</Text> : <CopyBlock text={body.text} />}
          </Section>
        </>
      )}
    </>
  );
}
