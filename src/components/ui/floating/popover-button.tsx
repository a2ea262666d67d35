'use client';

import dynamic from 'next/dynamic';
import { loadModuleWithRetry } from '../../api/load-module';
import { DropdownButton, type DropdownProps } from './dropdown-button';
import type { PopoverProps } from './popover';

const loadPopover = () => loadModuleWithRetry(() => import('./opened-popover'));

const OpenedPopover = dynamic(() => loadPopover().then((module) => module.OpenedPopover), { ssr: false });

/** A button that opens a small dialog below it, whose code is loaded when it is needed. The focus stays inside the dialog. */
export function PopoverButton({ button, opened, onChange, ...popover }: DropdownProps & PopoverProps) {
  return (
    <DropdownButton
      kind="dialog"
      button={button}
      loadDropdown={loadPopover}
      opened={opened}
      onChange={onChange}
    >
      {(dropdown) => <OpenedPopover {...popover} {...dropdown} />}
    </DropdownButton>
  );
}
