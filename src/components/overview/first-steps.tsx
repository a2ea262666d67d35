'use client';

import { Anchor, Button, Group, Text, Title } from '@mantine/core';
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { messageKeys } from '../../i18n/message-keys';
import { hasPermission, type Permission } from '../../server/identity/roles';
import { useTRPC } from '../api/client';
import type { RouterOutputs } from '../api/router-types';
import { useBackOffice } from '../shell/back-office';
import styles from './overview.module.css';
import { SAMPLE_CSV, SAMPLE_FILE_NAME } from './sample-file';

type Steps = RouterOutputs['overview']['read']['first_steps'];

const STEP_NAMES = messageKeys('overview', {
  shop: 'steps.shop',
  import: 'steps.import',
  prompt: 'steps.prompt',
  carrier: 'steps.carrier',
  people: 'steps.people',
  two_factor: 'steps.twoFactor',
});
const STEP_HINTS = messageKeys('overview', {
  shop: 'steps.shopHint',
  import: 'steps.importHint',
  prompt: 'steps.promptHint',
  carrier: 'steps.carrierHint',
  people: 'steps.peopleHint',
  two_factor: 'steps.twoFactorHint',
});

type StepId = keyof typeof STEP_NAMES;

const STEPS = [
  { id: 'shop', permission: 'shops.write' },
  { id: 'import', permission: 'imports.write' },
  { id: 'prompt', permission: 'prompts.write' },
  { id: 'carrier', permission: 'settings.read' },
  { id: 'people', permission: 'users.write' },
  { id: 'two_factor', permission: 'self.manage' },
] as const satisfies readonly { id: StepId; permission: Permission }[];

/** Returns the path of the page where the user does a step, with its form open if possible. */
function pathOf(id: StepId, { shop_without_currency: shopId, first_shop: shopName }: Steps): string {
  switch (id) {
    case 'shop':
      return `/shops?form=${shopId ?? 'new'}`;
    case 'import':
      return '/import';
    case 'prompt':
      return shopName === null ? '/messages' : `/messages/prompt?${new URLSearchParams({ shop: shopName })}`;
    case 'carrier':
      return '/settings#upstreams';
    case 'people':
      return '/people?form=new';
    case 'two_factor':
      return '/account#two-factor';
  }
}

/** Returns the steps that a user in this role may do. */
const stepIdsOf = (role: Parameters<typeof hasPermission>[0]): StepId[] =>
  STEPS.filter(({ permission }) => hasPermission(role, permission)).map(({ id }) => id);

/** Returns whether to show the checklist: the user has not hidden it, and a step that they may do is not done. */
export function shouldShowFirstSteps(steps: Steps, role: Parameters<typeof hasPermission>[0]): boolean {
  return !steps.dismissed && stepIdsOf(role).some((id) => !steps[id]);
}

/** The checklist for a new team, with the steps that the user may do; each is ticked once it is done. */
export function FirstSteps({ steps }: { steps: Steps }) {
  const t = useTranslations('overview');
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { prefix, user } = useBackOffice();
  const dismiss = useMutation(
    trpc.overview.dismissFirstSteps.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(trpc.overview.read.queryFilter()),
    }),
  );
  const stepIds = stepIdsOf(user.role);
  const doneCount = stepIds.filter((id) => steps[id]).length;
  const nextStepId = stepIds.find((id) => !steps[id]);
  return (
    <section aria-labelledby="first-steps" className={styles.first}>
      <Group justify="space-between" align="flex-start" gap="sm">
        <div>
          <Title order={2} id="first-steps">
            {t('firstSteps')}
          </Title>
          <Text c="dimmed">{t('steps.done', { done: doneCount, all: stepIds.length })}</Text>
        </div>
        <Button variant="default" loading={dismiss.isPending} onClick={() => dismiss.mutate()}>
          {t('steps.dismiss')}
        </Button>
      </Group>
      <ol className={styles.steps}>
        {stepIds.map((id) => (
          <li
            key={id}
            data-done={steps[id] || undefined}
            aria-current={id === nextStepId ? 'step' : undefined}
          >
            {steps[id] ? (
              <IconCircleCheckFilled size={20} aria-label={t('steps.isDone')} role="img" />
            ) : (
              <IconCircle size={20} stroke={1.75} aria-label={t('steps.isOpen')} role="img" />
            )}
            <div>
              <Anchor
                component={Link}
                className="tap-area"
                prefetch={false}
                href={prefix + pathOf(id, steps)}
                fw={600}
              >
                {t(STEP_NAMES[id])}
              </Anchor>
              {!steps[id] && <Text c="dimmed">{t(STEP_HINTS[id])}</Text>}
              {id === 'import' && !steps.import && (
                <Anchor
                  className="tap-area"
                  href={`data:text/csv;charset=utf-8,${encodeURIComponent(SAMPLE_CSV)}`}
                  download={SAMPLE_FILE_NAME}
                >
                  {t('steps.sample')}
                </Anchor>
              )}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
