'use client';

import { ActionIcon } from '@mantine/core';
import { IconBaselineDensityMedium, IconBaselineDensitySmall } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { useListPreferences } from './list-preferences-context';

/** Switches every list between compact and normal rows. */
export function DensityButton() {
  const t = useTranslations('common');
  const { isCompact, setCompact } = useListPreferences();
  const Icon = isCompact ? IconBaselineDensitySmall : IconBaselineDensityMedium;
  return (
    <ActionIcon
      data-columns
      variant="default"
      size={36}
      aria-label={t('list.compact')}
      aria-pressed={isCompact}
      title={t('list.compact')}
      onClick={() => setCompact(!isCompact)}
    >
      <Icon size={18} stroke={1.75} />
    </ActionIcon>
  );
}
