'use client';

import { Anchor } from '@mantine/core';
import { usePathname, useSearchParams } from 'next/navigation';
import type { MouseEvent, ReactNode } from 'react';

/** What a page has opened beside its list, such as a drawer, kept in its address: a link opens the same. */
export interface SidePanel {
  value: string | null;
  hrefOf(value: string | null): string;
  open(value: string): void;
  close(): void;
}

export function useSidePanel(name: string): SidePanel {
  const path = usePathname();
  const parameters = useSearchParams();
  const hrefOf = (value: string | null) => {
    const next = new URLSearchParams(parameters.toString());
    if (value === null) next.delete(name);
    else next.set(name, value);
    const search = next.toString();
    return path + (search === '' ? '' : `?${search}`);
  };
  return {
    value: parameters.get(name),
    hrefOf,
    open: (value) => window.history.pushState(null, '', hrefOf(value)),
    close: () => window.history.replaceState(null, '', hrefOf(null)),
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
