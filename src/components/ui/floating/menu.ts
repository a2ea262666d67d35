import type { KeyboardEvent, ReactNode } from 'react';

/** Something to choose in a menu: it acts, or leads somewhere. */
export interface MenuChoice {
  /** Its label unless given. */
  key?: string;
  label: string;
  /** The language of the label, if it is not the page's. */
  lang?: string;
  icon?: ReactNode;
  /** Shown at the end of its line. */
  end?: ReactNode;
  disabled?: boolean | undefined;
  destructive?: boolean | undefined;
  onClick?: () => void;
  /** A page of the back office. */
  page?: string;
  inNewTab?: boolean;
  /** A file to download. */
  file?: string | undefined;
}

/** A line between choices, or a heading over them. */
export type MenuEntry = MenuChoice | 'line' | { heading: string };

export interface MenuProps {
  entries: readonly (MenuEntry | false)[];
  /** Shown before and after the entries. */
  before?: ReactNode;
  after?: ReactNode;
  position?: 'bottom-end' | 'bottom-start';
  width?: number;
  /** Whether the button has the focus again when the menu closes. */
  returnFocus?: boolean;
  onKeyDown?: (event: KeyboardEvent<HTMLElement>) => void;
}
