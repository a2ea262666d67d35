import type { KeyboardEvent, ReactNode } from 'react';

/** An item of a menu: an action, a link or a download. */
export interface MenuChoice {
  /** The label by default. */
  key?: string;
  label: string;
  /** The language of the label, if it differs from the page's. */
  lang?: string;
  icon?: ReactNode;
  /** Shown at the end of the line. */
  end?: ReactNode;
  /** Whether to mark it as the chosen one, in place of `end`. */
  isChosen?: boolean;
  disabled?: boolean | undefined;
  destructive?: boolean | undefined;
  onClick?: () => void;
  /** The path of a page of the back office. */
  pagePath?: string;
  inNewTab?: boolean;
  /** The URL of a file to download. */
  fileUrl?: string | undefined;
}

/** A menu item, a line between items, or a heading above them. */
export type MenuEntry = MenuChoice | 'line' | { heading: string };

export interface MenuProps {
  entries: readonly (MenuEntry | false)[];
  /** Shown before and after the entries. */
  before?: ReactNode;
  after?: ReactNode;
  position?: 'bottom-end' | 'bottom-start';
  width?: number;
  /** Whether the button is focused again when the menu closes. */
  returnFocus?: boolean;
  onKeyDown?: (event: KeyboardEvent<HTMLElement>) => void;
}
