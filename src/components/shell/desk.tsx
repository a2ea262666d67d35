'use client';

import { createContext, type ReactNode, useContext } from 'react';
import type { Role } from '../../server/identity/schema';

/** What every page of the back office knows about its location and its user. */
export interface Desk {
  /** The path of the back office, `/admin`; every link to a page begins with it. */
  prefix: string;
  version: string;
  user: { name: string; email: string; role: Role; mustSetUpTwoFactor: boolean };
}

const DeskContext = createContext<Desk | null>(null);

export function DeskProvider({ desk, children }: { desk: Desk; children: ReactNode }) {
  return <DeskContext value={desk}>{children}</DeskContext>;
}

export function useDesk(): Desk {
  const desk = useContext(DeskContext);
  if (!desk) throw new Error('useDesk is for components inside the shell.');
  return desk;
}
