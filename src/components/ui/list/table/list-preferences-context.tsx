'use client';

import { createContext, type ReactNode, useContext, useState } from 'react';
import { keepCookie } from '../../page/keep-cookie';
import {
  COMPACT,
  DENSITY_COOKIE,
  type ListPreferences,
  ROWS_COOKIE,
  readListPreferences,
} from './list-preferences';

interface Changeable extends ListPreferences {
  setRows(rows: number): void;
  setCompact(isCompact: boolean): void;
}

const PreferencesContext = createContext<Changeable>({
  ...readListPreferences(() => undefined),
  setRows: () => {},
  setCompact: () => {},
});

/** Provides the user's preferences; a change applies to every list immediately. */
export function ListPreferencesProvider({
  initial,
  children,
}: {
  initial: ListPreferences;
  children: ReactNode;
}) {
  const [preferences, setPreferences] = useState(initial);
  const change = (name: string, value: string, changed: Partial<ListPreferences>) => {
    keepCookie(name, value);
    setPreferences({ ...preferences, ...changed });
  };
  return (
    <PreferencesContext
      value={{
        ...preferences,
        setRows: (rows) => change(ROWS_COOKIE, String(rows), { rows }),
        setCompact: (isCompact) => change(DENSITY_COOKIE, isCompact ? COMPACT : 'usual', { isCompact }),
      }}
    >
      {children}
    </PreferencesContext>
  );
}

export const useListPreferences = (): Changeable => useContext(PreferencesContext);
