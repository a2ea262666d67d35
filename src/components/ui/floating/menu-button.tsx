'use client';

import { createLoader, onDemand } from '../../api/on-demand';
import { DropdownButton, type DropdownProps } from './dropdown-button';
import type { MenuProps } from './menu';

const loadMenu = createLoader(() => import('./opened-menu').then((module) => module.OpenedMenu));

const OpenedMenu = onDemand(loadMenu);

/** A button that opens a menu, whose code is loaded when it is needed. */
export function MenuButton({ button, opened, onChange, ...menu }: DropdownProps & MenuProps) {
  return (
    <DropdownButton kind="menu" button={button} loadDropdown={loadMenu} opened={opened} onChange={onChange}>
      {(dropdown) => <OpenedMenu {...menu} {...dropdown} />}
    </DropdownButton>
  );
}
