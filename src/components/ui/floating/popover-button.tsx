'use client';

import { createLoader, onDemand } from '../../api/on-demand';
import { DropdownButton, type DropdownProps } from './dropdown-button';
import type { PopoverProps } from './popover';

const loadPopover = createLoader(() => import('./opened-popover').then((module) => module.OpenedPopover));

const OpenedPopover = onDemand(loadPopover);

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
