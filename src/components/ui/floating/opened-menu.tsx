'use client';

import { Menu } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { Dropdown } from './dropdown-button';
import type { MenuChoice, MenuEntry, MenuProps } from './menu';
import { Target } from './target';
import { useOpenedAfterMount } from './use-opened-after-mount';

const POINTER_EVENTS = ['mousedown', 'touchstart'];

/** The part of MenuButton that is loaded when it is needed. */
export function OpenedMenu(props: MenuProps & Dropdown) {
  const { entries, before, after, position = 'bottom-end', width, returnFocus = true, onKeyDown } = props;
  const { id, target, onChange } = props;
  return (
    <Menu
      id={id}
      opened={useOpenedAfterMount(props.opened)}
      onChange={onChange}
      position={position}
      withinPortal
      returnFocus={returnFocus}
      // Without key events: while a menu is still fading out, the key that opens it again would also close it.
      clickOutsideEvents={POINTER_EVENTS}
      {...(width === undefined ? {} : { width })}
    >
      <Menu.Target>
        <Target element={target} />
      </Menu.Target>
      <Menu.Dropdown onKeyDown={onKeyDown}>
        {before}
        <MenuEntries
          entries={entries}
          // Before the action, which may open a dialog: when the dialog closes, it returns the focus to the element that had it
          // when the dialog opened. That must not be the menu item, which is gone by then.
          onChoose={() => returnFocus && target.focus({ preventScroll: true })}
        />
        {after}
      </Menu.Dropdown>
    </Menu>
  );
}

function MenuEntries({
  entries,
  onChoose,
}: {
  entries: readonly (MenuEntry | false)[];
  /** Called before the action of the chosen item. */
  onChoose: () => void;
}) {
  return entries.map((entry, index) => {
    if (entry === false) return null;
    // biome-ignore lint/suspicious/noArrayIndexKey: entries keep their position
    if (entry === 'line') return <Menu.Divider key={index} />;
    if ('heading' in entry) return <Menu.Label key={entry.heading}>{entry.heading}</Menu.Label>;
    return <Choice key={entry.key ?? entry.label} choice={entry} onChoose={onChoose} />;
  });
}

function Choice({ choice, onChoose }: { choice: MenuChoice; onChoose: () => void }) {
  const t = useTranslations('common');
  const { label, lang, icon, end, isChosen, disabled, destructive, onClick, pagePath, inNewTab, fileUrl } =
    choice;
  const itemProps = {
    lang,
    disabled,
    onClick: () => {
      onChoose();
      onClick?.();
    },
    leftSection: icon,
    rightSection: isChosen ? <IconCheck size={16} aria-label={t('chosen')} /> : end,
    c: destructive ? 'var(--mantine-color-error)' : undefined,
  };
  if (pagePath !== undefined && !disabled)
    return (
      <Menu.Item
        {...itemProps}
        component={Link}
        href={pagePath}
        {...(inNewTab ? { target: '_blank', prefetch: false } : {})}
      >
        {label}
      </Menu.Item>
    );
  if (fileUrl !== undefined)
    return (
      <Menu.Item {...itemProps} component="a" href={fileUrl} download>
        {label}
      </Menu.Item>
    );
  return <Menu.Item {...itemProps}>{label}</Menu.Item>;
}
