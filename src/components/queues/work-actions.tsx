'use client';

import { Button, Menu } from '@mantine/core';
import { IconCheck, IconClock, IconUser } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useTranslations } from 'next-intl';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { messageKeys } from '../../i18n/message-keys';
import { useTRPC } from '../api/client';
import { OWN_ERROR } from '../api/page-queries';
import { snoozeTimes } from './snooze-times';
import type { Person } from './use-queue-work';

const SnoozeDate = dynamic(() => import('./snooze-date').then((module) => module.SnoozeDate), { ssr: false });

export type OpenMenu = 'snooze' | 'assign' | null;

interface Props {
  menu: OpenMenu;
  onMenu: (menu: OpenMenu) => void;
  disabled: boolean;
  /** Whether the entries are open; handled and snoozed ones can be put back. */
  isOpen: boolean;
  onHandle: () => void;
  onPutBack: () => void;
  onSnooze: (until: Date) => void;
  onAssign: (person: Pick<Person, 'id' | 'name'> | null) => void;
}

/** Handled, Snooze and Assign, for one entry or the selected ones. */
export function WorkActions(props: Props) {
  const { menu, onMenu, disabled, onHandle, onSnooze, onAssign } = props;
  const t = useTranslations('queues');
  const [asksDate, setAsksDate] = useState(false);
  const icon = { size: 16, stroke: 1.75, 'aria-hidden': true };
  if (!props.isOpen)
    return (
      <Button disabled={disabled} onClick={props.onPutBack}>
        {t('actions.putBack')}
      </Button>
    );
  return (
    <>
      <Button
        leftSection={<IconCheck {...icon} />}
        disabled={disabled}
        onClick={onHandle}
        aria-keyshortcuts="H"
      >
        {t('actions.handled')}
      </Button>
      <ActionMenu
        opened={menu === 'snooze'}
        onChange={(opened) => onMenu(opened ? 'snooze' : null)}
        button={
          <Button
            variant="default"
            leftSection={<IconClock {...icon} />}
            disabled={disabled}
            aria-keyshortcuts="S"
          >
            {t('actions.snooze')}
          </Button>
        }
      >
        <SnoozeItems onSnooze={onSnooze} onDate={() => setAsksDate(true)} />
      </ActionMenu>
      {asksDate && (
        <SnoozeDate
          onClose={() => setAsksDate(false)}
          onSnooze={(until) => {
            setAsksDate(false);
            onSnooze(until);
          }}
        />
      )}
      <ActionMenu
        opened={menu === 'assign'}
        onChange={(opened) => onMenu(opened ? 'assign' : null)}
        button={
          <Button
            variant="default"
            leftSection={<IconUser {...icon} />}
            disabled={disabled}
            aria-keyshortcuts="A"
          >
            {t('actions.assign')}
          </Button>
        }
      >
        {menu === 'assign' && <AssignItems onAssign={onAssign} />}
      </ActionMenu>
    </>
  );
}

/** Chooses the item of a menu by its number. */
function chooseByNumber(event: KeyboardEvent<HTMLElement>): void {
  if (!/^[1-9]$/.test(event.key)) return;
  const item = event.currentTarget.querySelectorAll<HTMLElement>('[role=menuitem]')[Number(event.key) - 1];
  if (!item) return;
  event.preventDefault();
  item.click();
}

function ActionMenu(props: {
  opened: boolean;
  onChange: (opened: boolean) => void;
  button: ReactNode;
  children: ReactNode;
}) {
  return (
    <Menu
      opened={props.opened}
      onChange={props.onChange}
      position="bottom-start"
      withinPortal
      returnFocus={false}
    >
      <Menu.Target>{props.button}</Menu.Target>
      <Menu.Dropdown onKeyDown={chooseByNumber}>{props.children}</Menu.Dropdown>
    </Menu>
  );
}

const TIMES = messageKeys('queues', { day: 'snooze.day', days: 'snooze.days', week: 'snooze.week' });

function SnoozeItems({ onSnooze, onDate }: { onSnooze: (until: Date) => void; onDate: () => void }) {
  const t = useTranslations('queues');
  return (
    <>
      {snoozeTimes().map(({ name, until }, index) => (
        <Menu.Item key={name} rightSection={<kbd>{index + 1}</kbd>} onClick={() => onSnooze(until)}>
          {t(TIMES[name])}
        </Menu.Item>
      ))}
      <Menu.Item rightSection={<kbd>4</kbd>} onClick={onDate}>
        {t('snooze.date')}
      </Menu.Item>
    </>
  );
}

function AssignItems({ onAssign }: Pick<Props, 'onAssign'>) {
  const t = useTranslations('queues');
  const trpc = useTRPC();
  const { data: people } = useQuery(trpc.queues.people.queryOptions(undefined, OWN_ERROR));
  const me = people?.find((person) => person.me);
  const others = people?.filter((person) => !person.me) ?? [];
  return (
    <>
      <Menu.Item rightSection={<kbd>1</kbd>} disabled={!me} onClick={() => me && onAssign(me)}>
        {t('assign.me')}
      </Menu.Item>
      <Menu.Item rightSection={<kbd>2</kbd>} onClick={() => onAssign(null)}>
        {t('assign.nobody')}
      </Menu.Item>
      {others.map((person) => (
        <Menu.Item key={person.id} onClick={() => onAssign(person)}>
          {person.name}
        </Menu.Item>
      ))}
    </>
  );
}
