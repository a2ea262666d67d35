import type { ReactNode } from 'react';
import { AreaLinks } from '../../../../../components/shell/navigation/area-links';

export default function ImportsLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <AreaLinks area="import" />
      {children}
    </>
  );
}
