'use client';

import { Anchor, Group, Stack, Table, Text } from '@mantine/core';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { AuditField, AuditRecordType } from '../../server/audit/actions';
import { useBackOffice } from '../shell/back-office';
import { OpenedDrawer } from '../ui/dialog/opened-drawer';
import { Instant } from '../ui/value/time/instant';
import styles from './audit.module.css';
import { type AuditEntry, findChangedFields, useAuditSentence } from './audit-sentence';
import { useAuditValueFormatter } from './audit-value';
import { AUDIT_FIELD_NAMES } from './names';

/** The paths of the record types that have a page of their own; the id is appended. */
const PAGE_PATHS: Partial<Record<AuditRecordType, string>> = {
  order: '/orders/',
  import: '/imports/',
  api_key: '/keys/',
  inbound_record: '/tracking/callbacks/',
};

function pathOf({ record_type: type, record_id: id }: AuditEntry): string | null {
  const path = PAGE_PATHS[type];
  return path !== undefined && /^\d+$/.test(id) ? path + id : null;
}

interface Props {
  entry: AuditEntry;
  opened: boolean;
  onClose: () => void;
}

/** The fields that an entry changed, with their values before and after. Loaded when the drawer is first opened. */
export function AuditChange({ entry, opened, onClose }: Props) {
  const t = useTranslations('audit');
  const { prefix } = useBackOffice();
  const sentenceOf = useAuditSentence();
  const valueText = useAuditValueFormatter();
  // An entry such as an import counts what it did: such a count has no value before.
  const cellText = (values: Record<string, unknown>, field: AuditField) =>
    field in values ? valueText(field, values[field]) : '–';
  const changedFields = findChangedFields(entry);
  const recordPath = pathOf(entry);
  const historyQuery = new URLSearchParams({ record_type: entry.record_type, record_id: entry.record_id });
  return (
    <OpenedDrawer opened={opened} onClose={onClose} size="lg" title={t('change')}>
      <Stack gap="md">
        <div>
          <Text fw={600}>{sentenceOf(entry)}</Text>
          <Text size="sm" c="dimmed">
            <Instant value={entry.created_at} />
          </Text>
        </div>
        {changedFields.length === 0 ? (
          <Text>{t('noChange')}</Text>
        ) : (
          <Table className={styles.table}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('field')}</Table.Th>
                {entry.before && <Table.Th>{t('before')}</Table.Th>}
                {entry.after && <Table.Th>{t('after')}</Table.Th>}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {changedFields.map((field) => (
                <Table.Tr key={field}>
                  <Table.Th scope="row">{t(AUDIT_FIELD_NAMES[field])}</Table.Th>
                  {entry.before && <Table.Td>{cellText(entry.before, field)}</Table.Td>}
                  {entry.after && <Table.Td>{cellText(entry.after, field)}</Table.Td>}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
        <Group gap="lg">
          {recordPath && (
            <Anchor component={Link} href={prefix + recordPath} prefetch={false}>
              {t('open')}
            </Anchor>
          )}
          <Anchor
            component={Link}
            href={`${prefix}/audit?${historyQuery}`}
            prefetch={false}
            onClick={onClose}
          >
            {t('history')}
          </Anchor>
        </Group>
      </Stack>
    </OpenedDrawer>
  );
}
