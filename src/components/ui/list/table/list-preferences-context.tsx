'use client';

import { createContext, type ReactNode, useContext, useState } from 'react';
import { storeCookie } from '../../page/store-cookie';
import {
  COMPACT_DENSITY,
  DENSITY_COOKIE,
  type ListPreferences,
  ROWS_PER_PAGE_COOKIE,
  readListPreferences,
} from './list-preferences';

interface ChangeableListPreferences extends ListPreferences {
  setRowsPerPage(rowsPerPage: number): void;
  setCompact(isCompact: boolean): void;
}

const PreferencesContext = createContext<ChangeableListPreferences>({
  ...readListPreferences(() => undefined),
  setRowsPerPage: () => {},
  setCompact: () => {},
});

/** Provides the user's preferences; a change applies to every list immediately. */
export function ListPreferencesProvider({
  initialPreferences,
  children,
}: {
  initialPreferences: ListPreferences;
  children: ReactNode;
}) {
  const [preferences, setPreferences] = useState(initialPreferences);
  const changePreference = (cookieName: string, cookieValue: string, changes: Partial<ListPreferences>) => {
    storeCookie(cookieName, cookieValue);
    setPreferences({ ...preferences, ...changes });
  };
  return (
    <PreferencesContext
      value={{
        ...preferences,
        setRowsPerPage: (rowsPerPage) =>
          changePreference(ROWS_PER_PAGE_COOKIE, String(rowsPerPage), { rowsPerPage }),
        setCompact: (isCompact) =>
          changePreference(DENSITY_COOKIE, isCompact ? COMPACT_DENSITY : 'usual', { isCompact }),
      }}
    >
      {children}
    </PreferencesContext>
  );
}

export const useListPreferences = (): ChangeableListPreferences => useContext(PreferencesContext);
