import type { ReactNode } from 'react';
import { AreaLinks } from '../../../../../components/shell/navigation/area-links';

export default function SettingsLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <AreaLinks area="settings" />
      {children}
    </>
  );
}
