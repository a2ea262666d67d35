import type { ReactNode } from 'react';

/** A small dialog below a button. */
export interface PopoverProps {
  /** The accessible name, if it differs from the button's. */
  label?: string;
  position?: 'bottom-end' | 'bottom-start';
  width?: number;
  /** Renders the content; called only when the popover is open. */
  children: (close: () => void) => ReactNode;
}
