'use client';

import { ActionIcon, Popover } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import dynamic from 'next/dynamic';
import { useTranslations } from 'next-intl';
import { useState } from 'react';

const SavedViewList = dynamic(() => import('./saved-view-list').then((module) => module.SavedViewList), {
  ssr: false,
});

/**
 * Saved filters of a list: the user's own, and those that colleagues share.
 *
 * @param query what a new view would keep (view-query.ts)
 */
export function SavedViews({ list, query }: { list: string; query: string }) {
  const t = useTranslations('views');
  const [opened, setOpened] = useState(false);
  return (
    <Popover position="bottom-end" width={320} trapFocus returnFocus opened={opened} onChange={setOpened}>
      <Popover.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          c="var(--mantine-color-text)"
          size={34}
          aria-label={t('open')}
          title={t('open')}
          onClick={() => setOpened((before) => !before)}
        >
          <IconPlus size={18} stroke={1.75} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('open')}>
        {opened && <SavedViewList list={list} query={query} onChosen={() => setOpened(false)} />}
      </Popover.Dropdown>
    </Popover>
  );
}
