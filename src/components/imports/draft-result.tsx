'use client';

import { Alert, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconArrowBackUp, IconCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { useTRPC } from '../api/client';
import { useDesk } from '../shell/desk';
import { Failed } from '../ui/list/list-states';
import { BadRowsLink } from './bad-rows-link';
import type { Draft } from './draft-page';

interface Props {
  draft: Pick<Draft, 'id' | 'rows'>;
  importId: string;
}

/** What the import has done, and where to go from here. */
export function DraftResult({ draft, importId }: Props) {
  const t = useTranslations('import');
  const trpc = useTRPC();
  const { prefix } = useDesk();
  const { data, error, refetch } = useQuery(
    trpc.imports.one.queryOptions({ id: importId }, { meta: { ownError: true } }),
  );
  if (error && !data) return <Failed error={error} onRetry={refetch} />;
  if (!data) return <Skeleton height={136} maw={640} radius="sm" />;
  const undone = data.import.outcome === 'undone';
  // The import counts the header, too.
  const heldBack = draft.rows + 1 - data.import.rows;
  const { new_orders: created, updated_orders: known, warnings } = data.import;
  return (
    <Stack gap="md" align="flex-start">
      <Alert
        role="status"
        color={undone ? 'gray' : 'teal'}
        variant="light"
        w="100%"
        maw={640}
        c="var(--mantine-color-text)"
        icon={undone ? <IconArrowBackUp aria-hidden /> : <IconCheck aria-hidden />}
        title={t(undone ? 'result.undone' : 'result.title')}
      >
        {(created > 0 || known === 0) && <Text>{t('result.created', { count: created })}</Text>}
        {known > 0 && <Text>{t('result.known', { count: known })}</Text>}
        {heldBack > 0 && <Text>{t('result.held', { count: heldBack })}</Text>}
        {warnings > heldBack && <Text>{t('result.warnings', { count: warnings - heldBack })}</Text>}
      </Alert>
      <Group gap="sm">
        <Button component={Link} href={`${prefix}/orders?import=${importId}`}>
          {t('result.orders')}
        </Button>
        <Button component={Link} href={`${prefix}/imports/${importId}`} variant="default">
          {t('result.import')}
        </Button>
        {heldBack > 0 && <BadRowsLink draftId={draft.id} />}
        <Button component={Link} href={`${prefix}/import`} variant="subtle">
          {t('result.another')}
        </Button>
      </Group>
    </Stack>
  );
}
