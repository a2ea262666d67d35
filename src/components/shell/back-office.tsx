'use client';

import { createContext, type ReactNode, useContext } from 'react';
import type { Role } from '../../server/identity/schema';

/** The path, version and user that the pages for signed-in users need. */
export interface BackOffice {
  /** The path of the back office, such as `/admin`; links to pages begin with it. */
  prefix: string;
  version: string;
  user: { name: string; email: string; role: Role; mustSetUpTwoFactor: boolean };
}

const BackOfficeContext = createContext<BackOffice | null>(null);

export function BackOfficeProvider({
  backOffice,
  children,
}: {
  backOffice: BackOffice;
  children: ReactNode;
}) {
  return <BackOfficeContext value={backOffice}>{children}</BackOfficeContext>;
}

export function useBackOffice(): BackOffice {
  const backOffice = useContext(BackOfficeContext);
  if (!backOffice) throw new Error('useBackOffice is for components inside BackOfficeProvider.');
  return backOffice;
}
