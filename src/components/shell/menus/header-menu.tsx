'use client';

import { ActionIcon } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { MenuButton } from '../../ui/floating/menu-button';

interface Choice {
  key: string;
  label: string;
  /** The language of the label, if it differs from the page's. */
  lang?: string;
  isChosen: boolean;
  onChoose: () => void;
}

/** A menu in the page's header for choosing one of a few options. */
export function HeaderMenu({
  label,
  icon,
  choices,
}: {
  label: string;
  icon: ReactNode;
  choices: readonly Choice[];
}) {
  const t = useTranslations('common');
  return (
    <MenuButton
      button={
        <ActionIcon variant="subtle" color="gray" c="var(--mantine-color-text)" size={32} aria-label={label}>
          {icon}
        </ActionIcon>
      }
      entries={choices.map(({ key, label: name, lang, isChosen, onChoose }) => ({
        key,
        label: name,
        ...(lang === undefined ? {} : { lang }),
        onClick: onChoose,
        end: isChosen && <IconCheck size={16} aria-label={t('chosen')} />,
      }))}
    />
  );
}
