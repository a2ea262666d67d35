'use client';

import { Box, Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ApiRequest } from './api-call-text';
import { BackLink } from './back-link';
import { PageMenu } from './page-menu';

interface Props {
  title: ReactNode;
  description?: ReactNode;
  /** The parent page, such as the list that contains the record. */
  back?: { href: string; label: string };
  /** Shown beside the title, such as a status. */
  beside?: ReactNode;
  actions?: ReactNode;
  /** The API call that belongs to the page, with the filters and values that it shows. */
  api?: ApiRequest | undefined;
}

/** The header of a page: its only h1, and the actions for the whole page. */
export function PageHeader({ title, description, back, beside, actions, api }: Props) {
  return (
    <Box mb="md">
      {back && <BackLink {...back} />}
      <Group justify="space-between" align="center" gap="sm">
        <Group gap="sm" align="center" miw={0}>
          <Title order={1} style={{ overflowWrap: 'anywhere' }}>
            {title}
          </Title>
          {beside}
        </Group>
        {(actions || api) && (
          <Group gap="sm">
            {actions}
            {api && <PageMenu api={api} />}
          </Group>
        )}
      </Group>
      {description && (
        <Text c="dimmed" maw={720}>
          {description}
        </Text>
      )}
    </Box>
  );
}
