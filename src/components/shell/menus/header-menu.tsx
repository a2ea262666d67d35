'use client';

import { ActionIcon } from '@mantine/core';
import type { ReactNode } from 'react';
import type { MenuChoice } from '../../ui/floating/menu';
import { MenuButton } from '../../ui/floating/menu-button';

/** A menu in the page's header for choosing one of a few options. */
export function HeaderMenu({
  label,
  icon,
  choices,
}: {
  label: string;
  icon: ReactNode;
  choices: readonly MenuChoice[];
}) {
  return (
    <MenuButton
      button={
        <ActionIcon variant="subtle" color="gray" c="var(--mantine-color-text)" size={32} aria-label={label}>
          {icon}
        </ActionIcon>
      }
      entries={choices}
    />
  );
}
