'use client';

import { Button } from '@mantine/core';
import { IconCheck, IconClock, IconUser } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { type KeyboardEvent, type MouseEvent, useState } from 'react';
import { messageKeys } from '../../i18n/message-keys';
import { useTRPC } from '../api/client';
import { onDemand } from '../api/on-demand';
import { SHOWS_OWN_ERROR } from '../api/page-queries';
import type { MenuChoice } from '../ui/floating/menu';
import { MenuButton } from '../ui/floating/menu-button';
import { useDialogEverOpened } from '../ui/floating/use-opened-after-mount';
import { useReaderZone } from '../ui/value/time/zones';
import { snoozeTimes } from './snooze-times';
import type { User } from './use-queue-work';

const SnoozeDate = onDemand(() => import('./snooze-date').then((module) => module.SnoozeDate));

export type OpenMenu = 'snooze' | 'assign' | null;

interface Props {
  menu: OpenMenu;
  onMenuChange: (menu: OpenMenu) => void;
  disabled: boolean;
  /** Whether the entries are open; handled and snoozed ones can be put back. */
  areEntriesOpen: boolean;
  onHandle: () => void;
  onPutBack: () => void;
  onSnooze: (until: Date) => void;
  onAssign: (user: Pick<User, 'id' | 'name'> | null) => void;
}

/** Mark as handled, Snooze and Assign, or Put back, for one entry or the selected ones. */
export function WorkActions(props: Props) {
  const { menu, onMenuChange, disabled, onHandle, onSnooze, onAssign } = props;
  const t = useTranslations('queues');
  const [isPickingDate, setIsPickingDate] = useState(false);
  const wasDateDialogOpened = useDialogEverOpened(isPickingDate);
  const createSnoozeChoices = useCreateSnoozeChoices();
  const assignChoices = useAssignChoices({ isOpen: menu === 'assign', onAssign });
  const iconProps = { size: 16, stroke: 1.75, 'aria-hidden': true };
  if (!props.areEntriesOpen)
    return (
      <Button disabled={disabled} onClick={unlessRepeated(props.onPutBack)}>
        {t('actions.putBack')}
      </Button>
    );
  return (
    <>
      <Button
        leftSection={<IconCheck {...iconProps} />}
        disabled={disabled}
        onClick={unlessRepeated(onHandle)}
        aria-keyshortcuts="H"
      >
        {t('actions.handled')}
      </Button>
      <MenuButton
        {...ACTION_MENU_PROPS}
        opened={menu === 'snooze'}
        onChange={(opened) => onMenuChange(opened ? 'snooze' : null)}
        button={
          <Button
            variant="default"
            leftSection={<IconClock {...iconProps} />}
            disabled={disabled}
            aria-keyshortcuts="S"
          >
            {t('actions.snooze')}
          </Button>
        }
        entries={createSnoozeChoices(onSnooze, () => setIsPickingDate(true))}
      />
      {wasDateDialogOpened && (
        <SnoozeDate
          opened={isPickingDate}
          onClose={() => setIsPickingDate(false)}
          onSnooze={(until) => {
            setIsPickingDate(false);
            onSnooze(until);
          }}
        />
      )}
      <MenuButton
        {...ACTION_MENU_PROPS}
        opened={menu === 'assign'}
        onChange={(opened) => onMenuChange(opened ? 'assign' : null)}
        button={
          <Button
            variant="default"
            leftSection={<IconUser {...iconProps} />}
            disabled={disabled}
            aria-keyshortcuts="A"
          >
            {t('actions.assign')}
          </Button>
        }
        entries={assignChoices}
      />
    </>
  );
}

/** Returns a click handler that ignores the second click of a double click: by then, the button is about the next entry. */
const unlessRepeated =
  (act: () => void) =>
  ({ detail }: MouseEvent) => {
    if (detail <= 1) act();
  };

/** Chooses a menu item by its number key. */
function chooseItemByNumber(event: KeyboardEvent<HTMLElement>): void {
  if (!/^[1-9]$/.test(event.key)) return;
  const item = event.currentTarget.querySelectorAll<HTMLElement>('[role=menuitem]')[Number(event.key) - 1];
  if (!item) return;
  event.preventDefault();
  item.click();
}

const ACTION_MENU_PROPS = {
  position: 'bottom-start',
  returnFocus: false,
  onKeyDown: chooseItemByNumber,
} as const;

const SNOOZE_TIME_NAMES = messageKeys('queues', {
  day: 'snooze.day',
  days: 'snooze.days',
  week: 'snooze.week',
});

/** Returns a function that creates the choices of the Snooze menu: the usual times, and a date. */
function useCreateSnoozeChoices() {
  const zone = useReaderZone();
  const t = useTranslations('queues');
  return (onSnooze: (until: Date) => void, onPickDate: () => void): MenuChoice[] => [
    ...snoozeTimes(zone).map(({ name, until }, index) => ({
      key: name,
      label: t(SNOOZE_TIME_NAMES[name]),
      end: <kbd>{index + 1}</kbd>,
      onClick: () => onSnooze(until),
    })),
    { label: t('snooze.date'), end: <kbd>4</kbd>, onClick: onPickDate },
  ];
}

/** Returns the choices of the Assign menu: the user, nobody, and the other users. */
function useAssignChoices({ isOpen, onAssign }: { isOpen: boolean } & Pick<Props, 'onAssign'>): MenuChoice[] {
  const t = useTranslations('queues');
  const trpc = useTRPC();
  const { data: users } = useQuery(
    trpc.queues.people.queryOptions(undefined, { ...SHOWS_OWN_ERROR, enabled: isOpen }),
  );
  const me = users?.find((user) => user.me);
  const otherUsers = users?.filter((user) => !user.me) ?? [];
  return [
    { label: t('assign.me'), end: <kbd>1</kbd>, disabled: !me, onClick: () => me && onAssign(me) },
    { label: t('assign.nobody'), end: <kbd>2</kbd>, onClick: () => onAssign(null) },
    ...otherUsers.map((user) => ({
      key: String(user.id),
      label: user.name,
      onClick: () => onAssign(user),
    })),
  ];
}
