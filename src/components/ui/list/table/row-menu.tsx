'use client';

import { ActionIcon } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconDots } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { MenuButton } from '../../floating/menu-button';
import { ConfirmModal } from '../../form/confirm-action';

/** An action on a row. */
export interface RowAction {
  label: string;
  /** Acts immediately, or opens something. */
  onClick?: () => void;
  /** The URL of a file to download. */
  fileUrl?: string;
  /** Asks for confirmation first. */
  confirm?: { message: ReactNode; destructive?: boolean; onConfirm: () => Promise<unknown> };
}

/** The menu with the actions of a row. Omit those that the role or the row's state does not allow. */
export function RowMenu({
  name,
  actions,
}: {
  /** The row's name, which distinguishes its button from the others. */
  name: string;
  actions: readonly (RowAction | false)[];
}) {
  const t = useTranslations('common');
  const [actionToConfirm, setActionToConfirm] = useState<RowAction | null>(null);
  const [opened, { open, close }] = useDisclosure();
  const visibleActions = actions.filter((action) => action !== false);
  const hasActions = visibleActions.length > 0;
  const confirmedRow = useRef<Element | null>(null);
  useEffect(() => {
    if (opened) return;
    // The last action has been done, and the button is gone with it.
    if (!hasActions) confirmedRow.current?.querySelector('a')?.focus();
    confirmedRow.current = null;
  }, [opened, hasActions]);
  return (
    <>
      {hasActions && (
        <MenuButton
          button={
            <ActionIcon
              variant="subtle"
              color="gray"
              c="var(--mantine-color-text)"
              size={24}
              style={{ verticalAlign: 'middle' }}
              aria-label={t('list.actions', { name })}
            >
              <IconDots size={18} stroke={1.75} />
            </ActionIcon>
          }
          entries={visibleActions.map((action) => ({
            label: action.label,
            fileUrl: action.fileUrl,
            destructive: action.confirm?.destructive,
            onClick: () => {
              action.onClick?.();
              if (!action.confirm) return;
              confirmedRow.current = document.activeElement?.closest('tr') ?? null;
              setActionToConfirm(action);
              open();
            },
          }))}
        />
      )}
      {actionToConfirm?.confirm && (
        <ConfirmModal
          opened={opened}
          onClose={close}
          title={actionToConfirm.label}
          action={actionToConfirm.label}
          {...actionToConfirm.confirm}
        />
      )}
    </>
  );
}
