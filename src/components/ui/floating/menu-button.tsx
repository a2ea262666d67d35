'use client';

import dynamic from 'next/dynamic';
import { loadModuleWithRetry } from '../../api/load-module';
import { DropdownButton, type DropdownProps } from './dropdown-button';
import type { MenuProps } from './menu';

const loadMenu = () => loadModuleWithRetry(() => import('./opened-menu'));

const OpenedMenu = dynamic(() => loadMenu().then((module) => module.OpenedMenu), { ssr: false });

/** A button that opens a menu, whose code is loaded when it is needed. */
export function MenuButton({ button, opened, onChange, ...menu }: DropdownProps & MenuProps) {
  return (
    <DropdownButton kind="menu" button={button} loadDropdown={loadMenu} opened={opened} onChange={onChange}>
      {(dropdown) => <OpenedMenu {...menu} {...dropdown} />}
    </DropdownButton>
  );
}
