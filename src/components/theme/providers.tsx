'use client';

import { MantineProvider } from '@mantine/core';
import type { ReactNode } from 'react';
import { TooltipProvider } from '../ui/floating/tooltip';
import { LazyNotifications } from './lazy-notifications';
import { resolveCssVariables, theme } from './theme';

/** The providers around every page of the back office, including the sign-in page. */
export function Providers({ children }: { children: ReactNode }) {
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto" cssVariablesResolver={resolveCssVariables}>
      <LazyNotifications />
      <TooltipProvider>{children}</TooltipProvider>
    </MantineProvider>
  );
}
