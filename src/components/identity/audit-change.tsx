'use client';

import { Code, Drawer, Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { RouterOutputs } from '../api/router-types';

type AuditEntry = RouterOutputs['audit']['list']['entries'][number];

/** The state before and after, as an entry of the audit log has it. */
export function AuditChange({ entry, onClose }: { entry: AuditEntry | null; onClose: () => void }) {
  const t = useTranslations('audit');
  const common = useTranslations('common');
  const sides = [
    { title: t('before'), value: entry?.before },
    { title: t('after'), value: entry?.after },
  ];
  return (
    <Drawer
      opened={entry !== null}
      onClose={onClose}
      title={entry?.action}
      closeButtonProps={{ 'aria-label': common('close') }}
    >
      <Stack gap="md">
        {sides.map(({ title, value }) => (
          <div key={title}>
            <Text fw={600} mb="xs">
              {title}
            </Text>
            <Code block className="mono">
              {value === null || value === undefined ? '–' : JSON.stringify(value, null, 2)}
            </Code>
          </div>
        ))}
      </Stack>
    </Drawer>
  );
}
