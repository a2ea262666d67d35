'use client';

import { createContext, type ReactNode, useContext } from 'react';
import type { Role } from '../../server/identity/schema';

/** What the pages for signed-in users need to know: the path, the version, the user, and the time on the server. */
export interface BackOffice {
  /** The path of the back office, such as `/admin`; links to pages begin with it. */
  prefix: string;
  version: string;
  /** When the server rendered the page, in milliseconds since 1970. */
  renderedAt: number;
  user: { id: number; name: string; email: string; role: Role; mustSetUpTwoFactor: boolean };
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
