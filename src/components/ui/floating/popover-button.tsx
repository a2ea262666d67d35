'use client';

import dynamic from 'next/dynamic';
import type { ReactNode } from 'react';
import { DropdownButton, type DropdownProps } from './dropdown-button';

export interface PopoverProps {
  /** Its name, if that is not the button's. */
  label?: string;
  position?: 'bottom-end' | 'bottom-start';
  width?: number;
  /** What it shows; called only once it is opened. */
  children: (close: () => void) => ReactNode;
}

const load = () => import('./opened-popover');

const OpenedPopover = dynamic(() => load().then((module) => module.OpenedPopover), { ssr: false });

/** A button that opens a small dialog below it, whose program is loaded when it is needed. The focus stays inside. */
export function PopoverButton({ button, opened, onChange, ...popover }: DropdownProps & PopoverProps) {
  return (
    <DropdownButton kind="dialog" button={button} load={load} opened={opened} onChange={onChange}>
      {(dropdown) => <OpenedPopover {...popover} {...dropdown} />}
    </DropdownButton>
  );
}
