'use client';

import { createContext, type ReactNode, useContext } from 'react';
import type { Role } from '../../server/identity/schema';

/** The path, version and user that every page of the back office needs. */
export interface Desk {
  /** The path of the back office, such as `/admin`; links to pages begin with it. */
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
