'use client';

import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';
import { cssVariables, theme } from './theme';

/** What every page of the back office stands in, the sign-in page as well. */
export function Providers({ children }: { children: ReactNode }) {
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto" cssVariablesResolver={cssVariables}>
      <Notifications position="bottom-right" />
      {children}
    </MantineProvider>
  );
}
