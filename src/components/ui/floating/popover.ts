import type { ReactNode } from 'react';

/** A small dialog below a button. */
export interface PopoverProps {
  /** The accessible name, if it differs from the button's. */
  label?: string;
  position?: 'bottom-end' | 'bottom-start';
  width?: number;
  /** Renders the content; first called when the popover is first opened. */
  children: (close: () => void) => ReactNode;
}
