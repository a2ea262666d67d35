'use client';

import { Anchor } from '@mantine/core';
import type { MouseEvent, ReactNode } from 'react';
import { useUrl } from '../../url/use-url';

/** What a page has opened beside its list, such as a drawer, kept in its URL: a link opens the same. */
export interface SidePanel {
  value: string | null;
  hrefOf(value: string | null): string;
  open(value: string): void;
  /** Replaces what is open; Back leaves both. */
  show(value: string): void;
  close(): void;
}

export function useSidePanel(name: string): SidePanel {
  const { parameters, hrefOf, change } = useUrl();
  return {
    value: parameters.get(name),
    hrefOf: (value) => hrefOf({ [name]: value }),
    open: (value) => change({ [name]: value }, 'push'),
    show: (value) => change({ [name]: value }, 'replace'),
    close: () => change({ [name]: null }, 'replace'),
  };
}

/** Opens something beside the list, or in a new tab if the reader asks for one. */
export function PanelLink({ of, value, children }: { of: SidePanel; value: string; children?: ReactNode }) {
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    of.open(value);
  };
  return (
    <Anchor href={of.hrefOf(value)} onClick={open} className="mono">
      {children ?? value}
    </Anchor>
  );
}
