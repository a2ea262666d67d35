'use client';

import { Anchor, Text, Title } from '@mantine/core';
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { messageKeys } from '../../i18n/message-keys';
import { mayDo, type Permission } from '../../server/identity/roles';
import type { RouterOutputs } from '../api/router-types';
import { useDesk } from '../shell/desk';
import styles from './overview.module.css';

type OverviewFigures = RouterOutputs['overview']['read'];

const STEP_NAMES = messageKeys('overview', {
  shops: 'steps.shop',
  keys: 'steps.key',
  imports: 'steps.import',
});
const STEP_HINTS = messageKeys('overview', {
  shops: 'steps.shopHint',
  keys: 'steps.keyHint',
  imports: 'steps.importHint',
});

const STEPS = [
  { id: 'shops', path: '/shops', may: 'shops.write' },
  { id: 'keys', path: '/keys', may: 'keys.write' },
  { id: 'imports', path: '/import', may: 'imports.write' },
] as const satisfies readonly { id: keyof typeof STEP_NAMES; path: string; may: Permission }[];

/** Shown instead of figures that would all be zero: a new owner's first steps, and which are done. */
export function FirstSteps({ steps }: { steps: OverviewFigures['first_steps'] }) {
  const t = useTranslations('overview');
  const { prefix, person } = useDesk();
  const done = STEPS.filter(({ id }) => steps[id]).length;
  const next = STEPS.find(({ id }) => !steps[id])?.id;
  return (
    <section aria-labelledby="first-steps" className={styles.first}>
      <Text>{t('welcome', { name: person.name })}</Text>
      <Title order={2} id="first-steps" mt="lg">
        {t('firstSteps')}
      </Title>
      <Text c="dimmed">{t('steps.done', { done, all: STEPS.length })}</Text>
      <ol className={styles.steps}>
        {STEPS.map(({ id, path, may }) => (
          <li key={id} data-done={steps[id] || undefined} aria-current={id === next ? 'step' : undefined}>
            {steps[id] ? (
              <IconCircleCheckFilled size={20} aria-label={t('steps.isDone')} role="img" />
            ) : (
              <IconCircle size={20} stroke={1.75} aria-label={t('steps.isOpen')} role="img" />
            )}
            <div>
              {mayDo(person.role, may) ? (
                <Anchor component={Link} href={prefix + path} fw={600}>
                  {t(STEP_NAMES[id])}
                </Anchor>
              ) : (
                <Text fw={600}>{t(STEP_NAMES[id])}</Text>
              )}
              <Text c="dimmed">{t(STEP_HINTS[id])}</Text>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
