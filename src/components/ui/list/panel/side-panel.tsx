'use client';

import { Anchor } from '@mantine/core';
import type { MouseEvent, ReactNode } from 'react';
import { useUrl } from '../../url/use-url';

/** The state of a panel beside a list, such as a drawer. It is kept in the URL, so that a link can open the panel. */
export interface SidePanel {
  /** What is open, such as the key of a row; null if the panel is closed. */
  openKey: string | null;
  hrefOf(key: string | null): string;
  open(key: string): void;
  /** Replaces what is open, without an entry in the browser history. */
  show(key: string): void;
  close(): void;
}

/**
 * Returns a side panel whose state is in the URL.
 * @param name the URL parameter that says what is open
 */
export function useSidePanel(name: string): SidePanel {
  const { parameters, hrefOf, changeParameters } = useUrl();
  return {
    openKey: parameters.get(name),
    hrefOf: (key) => hrefOf({ [name]: key }),
    open: (key) => changeParameters({ [name]: key }, 'push'),
    show: (key) => changeParameters({ [name]: key }, 'replace'),
    close: () => changeParameters({ [name]: null }, 'replace'),
  };
}

/** A link that opens something beside the list. With a modifier key, the browser opens it as usual, for example in a new tab. */
export function PanelLink({
  panel,
  value,
  children,
}: {
  panel: SidePanel;
  value: string;
  children?: ReactNode;
}) {
  const openPanel = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    panel.open(value);
  };
  return (
    <Anchor href={panel.hrefOf(value)} onClick={openPanel} className="mono">
      {children ?? value}
    </Anchor>
  );
}
