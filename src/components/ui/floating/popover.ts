import type { ReactNode } from 'react';

/** A small dialog below a button. */
export interface PopoverProps {
  /** Its name, if that is not the button's. */
  label?: string;
  position?: 'bottom-end' | 'bottom-start';
  width?: number;
  /** What it shows; called only once it is opened. */
  children: (close: () => void) => ReactNode;
}
