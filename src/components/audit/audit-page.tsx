'use client';

import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import type { AuditGroup, AuditRecordType } from '../../server/audit/actions';
import { useTRPC } from '../api/client';
import { onDemand } from '../api/on-demand';
import { useDialogState } from '../ui/dialog/dialog-state';
import { ChoiceFilter } from '../ui/list/filter/choice-filter';
import { DaysFilter } from '../ui/list/filter/days-filter';
import { TextFilter } from '../ui/list/filter/list-filters';
import { ListPage } from '../ui/list/list-page';
import { useListUrl } from '../ui/list/use-list-url';
import { CopyableText } from '../ui/value/copyable-text';
import { Instant } from '../ui/value/time/instant';
import styles from './audit.module.css';
import { type AuditEntry, useAuditSentence } from './audit-sentence';
import { AUDIT_GROUP_NAMES, AUDIT_RECORD_NAMES } from './names';
import { AUDIT_FILTERS, auditQuery } from './queries';

const AuditChange = onDemand(() => import('./audit-change').then((module) => module.AuditChange));

/** Who changed what, and when. Read-only. */
export function AuditPage() {
  const t = useTranslations('audit');
  const common = useTranslations('common');
  const trpc = useTRPC();
  const url = useListUrl(AUDIT_FILTERS);
  const sentenceOf = useAuditSentence();
  const entryDrawer = useDialogState<AuditEntry>();
  const { data, ...query } = useQuery(auditQuery(trpc, url));
  return (
    <>
      <ListPage<AuditEntry>
        id="audit"
        title={t('title')}
        description={t('description')}
        url={url}
        filters={
          <>
            <ActorFilter url={url} />
            <ChoiceFilter
              url={url}
              name="group"
              label={t('group')}
              options={(Object.keys(AUDIT_GROUP_NAMES) as AuditGroup[]).map((value) => ({
                value,
                label: t(AUDIT_GROUP_NAMES[value]),
              }))}
            />
            <ChoiceFilter
              url={url}
              name="record_type"
              label={t('recordType')}
              options={(Object.keys(AUDIT_RECORD_NAMES) as AuditRecordType[]).map((value) => ({
                value,
                label: t(AUDIT_RECORD_NAMES[value]),
              }))}
            />
            <DaysFilter url={url} from="from" to="to" label={t('days')} />
            {/* Shown only if the URL limits the list to one record, as the links to a record's history do. */}
            {url.filters.record_id && <TextFilter url={url} name="record_id" label={t('recordId')} />}
          </>
        }
        query={{ ...query, data: data && { rows: data.entries, next: data.next } }}
        rowKey={({ id }) => id}
        columns={[
          {
            key: 'what',
            label: t('what'),
            heading: true,
            // The server and the browser may have different versions of the country names.
            render: (entry) => (
              <span className={styles.sentence} suppressHydrationWarning>
                {sentenceOf(entry)}
              </span>
            ),
          },
          {
            key: 'when',
            label: t('when'),
            card: 'fact',
            render: ({ created_at: at }) => <Instant value={at} />,
          },
          {
            key: 'record',
            label: t('recordType'),
            hidden: true,
            render: ({ record_type: type, record_id: id }) => (
              <CopyableText value={id} text={`${t(AUDIT_RECORD_NAMES[type])} ${id}`} />
            ),
          },
          {
            key: 'address',
            label: t('address'),
            card: 'fact',
            render: ({ address }) => <span className="mono">{address ?? '–'}</span>,
          },
          {
            key: 'request',
            label: t('request'),
            hidden: true,
            render: ({ request_id: id }) => (id ? <CopyableText value={id} /> : '–'),
          },
          {
            key: 'change',
            label: t('change'),
            actions: true,
            render: (entry) => (
              <Button
                size="compact-sm"
                variant="default"
                aria-label={common('labelled', { label: t('change'), text: sentenceOf(entry) })}
                suppressHydrationWarning
                onClick={() => entryDrawer.open(entry)}
              >
                {t('change')}
              </Button>
            ),
          },
        ]}
        empty={{ title: t('none'), hint: t('noneHint') }}
      />
      {entryDrawer.subject && (
        <AuditChange entry={entryDrawer.subject} opened={entryDrawer.opened} onClose={entryDrawer.close} />
      )}
    </>
  );
}

/** A filter by actor; it lists every actor in the log. */
function ActorFilter({ url }: { url: ReturnType<typeof useListUrl<(typeof AUDIT_FILTERS)[number]>> }) {
  const t = useTranslations('audit');
  const trpc = useTRPC();
  const { data = [] } = useQuery(trpc.audit.actors.queryOptions());
  const kindNames = { command: t('actors.command'), system: t('actors.system') };
  const options = data.map(({ actor, kind, name }) => ({
    value: actor,
    label: kind === 'command' || kind === 'system' ? kindNames[kind] : name,
  }));
  return <ChoiceFilter url={url} name="who" label={t('actor')} options={options} />;
}
