'use client';

import { Alert, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconArrowBackUp, IconCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { messageKeys } from '../../../i18n/message-keys';
import { useTRPC } from '../../api/client';
import type { RouterOutputs } from '../../api/router-types';
import { useBackOffice } from '../../shell/back-office';
import { focusIfLost } from '../../ui/keyboard/focus';
import { LoadError } from '../../ui/list/list-states';
import { draftResultQuery } from '../queries';
import { RejectedRowsLink } from './rejected-rows-link';

type Draft = RouterOutputs['imports']['draft'];
type Import = RouterOutputs['imports']['history']['entries'][number];

const RESULT_TEXTS = messageKeys('import', {
  nothing: 'result.nothing',
  created: 'result.created',
  changed: 'result.changed',
  unchanged: 'result.unchanged',
  itemsCreated: 'result.itemsCreated',
  itemsChanged: 'result.itemsChanged',
  held: 'result.held',
  warnings: 'result.warnings',
});

/** Returns the counts in the order in which they are shown; zeros are not shown. */
const countsOf = (finishedImport: Import): [keyof typeof RESULT_TEXTS, number][] => {
  const changesNothing = finishedImport.new_orders + finishedImport.changed_orders === 0;
  return [
    ['nothing', changesNothing ? finishedImport.updated_orders : 0],
    ['created', finishedImport.new_orders],
    ['changed', finishedImport.changed_orders],
    ['unchanged', changesNothing ? 0 : finishedImport.updated_orders - finishedImport.changed_orders],
    ['itemsCreated', finishedImport.items_inserted],
    ['itemsChanged', finishedImport.items_changed],
    ['held', finishedImport.held_rows],
    ['warnings', finishedImport.warnings],
  ];
};

interface Props {
  draft: Pick<Draft, 'id'>;
  importId: string;
  /** Whether the import has just been run here. Its title is focused then. */
  isNews: boolean;
}

/** What the import did, with links to the next steps. */
export function DraftResult({ draft, importId, isNews }: Props) {
  const t = useTranslations('import');
  const trpc = useTRPC();
  const { prefix } = useBackOffice();
  const { data, error, refetch } = useQuery(draftResultQuery(trpc, importId));
  if (error && !data) return <LoadError error={error} onRetry={refetch} />;
  if (!data) return <Skeleton height={136} maw={640} radius="sm" />;
  const finishedImport = data.import;
  const isUndone = finishedImport.outcome === 'undone';
  return (
    <Stack gap="md" align="flex-start">
      <Alert
        role="status"
        color={isUndone ? 'gray' : 'green'}
        variant="light"
        w="100%"
        maw={640}
        c="var(--mantine-color-text)"
        icon={isUndone ? <IconArrowBackUp aria-hidden /> : <IconCheck aria-hidden />}
        title={
          <span {...(isNews && { ref: focusIfLost, tabIndex: -1 })}>
            {t(isUndone ? 'result.undone' : 'result.title')}
          </span>
        }
      >
        {countsOf(finishedImport)
          .filter(([, count]) => count > 0)
          .map(([name, count]) => (
            <Text key={name}>
              {t(name === 'created' && isUndone ? 'result.hadCreated' : RESULT_TEXTS[name], { count })}
            </Text>
          ))}
      </Alert>
      <Group gap="sm">
        {finishedImport.new_orders > 0 && !isUndone && (
          <Button component={Link} href={`${prefix}/orders?import=${importId}`}>
            {t('result.orders')}
          </Button>
        )}
        <Button component={Link} href={`${prefix}/imports/${importId}`} variant="default">
          {t('result.import')}
        </Button>
        {finishedImport.held_rows > 0 && <RejectedRowsLink draftId={draft.id} />}
        <Button component={Link} href={`${prefix}/import`} variant="subtle">
          {t('result.another')}
        </Button>
      </Group>
    </Stack>
  );
}
