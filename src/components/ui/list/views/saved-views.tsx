'use client';

import { ActionIcon } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { onDemand } from '../../../api/on-demand';
import { PopoverButton } from '../../floating/popover-button';

const SavedViewList = onDemand(() => import('./saved-view-list').then((module) => module.SavedViewList));

/**
 * The saved filters of a list: the user's own, and those shared by colleagues.
 * @param query the query that a new view would save (view-query.ts)
 */
export function SavedViews({ list, query }: { list: string; query: string }) {
  const t = useTranslations('views');
  return (
    <PopoverButton
      label={t('open')}
      width={320}
      button={
        <ActionIcon
          variant="subtle"
          color="gray"
          c="var(--mantine-color-text)"
          size={34}
          aria-label={t('open')}
          title={t('open')}
        >
          <IconPlus size={18} stroke={1.75} />
        </ActionIcon>
      }
    >
      {(close) => <SavedViewList list={list} query={query} onChosen={close} />}
    </PopoverButton>
  );
}
