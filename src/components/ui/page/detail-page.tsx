'use client';

import { Box, Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './detail-page.module.css';

/** A section of a page with its own heading, separated by a line. */
export function Section({
  id,
  title,
  description,
  actions,
  children,
}: {
  /** For links to this part of the page. */
  id?: string;
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <Box component="section" id={id} className={styles.section}>
      <Group justify="space-between" align="flex-start" gap="sm" mb="sm">
        <Stack gap={0} maw={640}>
          <Title order={2}>{title}</Title>
          {description && (
            <Text size="sm" c="dimmed" className={styles.description}>
              {description}
            </Text>
          )}
        </Stack>
        {actions && <Group gap="sm">{actions}</Group>}
      </Group>
      {children}
    </Box>
  );
}

/** A list of facts: labels on the left and values beside them, or below them on phones. */
export function Facts({ facts }: { facts: readonly { key?: string; label: string; value: ReactNode }[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(({ label, key = label, value }) => (
        <div key={key} className={styles.fact}>
          <dt>{label}</dt>
          <dd>{value ?? '–'}</dd>
        </div>
      ))}
    </dl>
  );
}
