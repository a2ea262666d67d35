'use client';

import { MantineProvider } from '@mantine/core';
import type { ReactNode } from 'react';
import { Notices } from './notices';
import { cssVariables, theme } from './theme';

/** What every page of the back office stands in, the sign-in page as well. */
export function Providers({ children }: { children: ReactNode }) {
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto" cssVariablesResolver={cssVariables}>
      <Notices />
      {children}
    </MantineProvider>
  );
}
