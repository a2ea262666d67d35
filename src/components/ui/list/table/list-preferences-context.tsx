'use client';

import { createContext, type ReactNode, useContext, useState } from 'react';
import { storeCookie } from '../../page/store-cookie';
import {
  COMPACT,
  DENSITY_COOKIE,
  type ListPreferences,
  ROWS_COOKIE,
  readListPreferences,
} from './list-preferences';

interface ChangeableListPreferences extends ListPreferences {
  setRows(rows: number): void;
  setCompact(isCompact: boolean): void;
}

const PreferencesContext = createContext<ChangeableListPreferences>({
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
  const change = (name: string, value: string, changes: Partial<ListPreferences>) => {
    storeCookie(name, value);
    setPreferences({ ...preferences, ...changes });
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

export const useListPreferences = (): ChangeableListPreferences => useContext(PreferencesContext);
