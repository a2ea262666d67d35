import type { ReactNode } from 'react';
import { AreaLinks } from '../../../../../components/shell/navigation/area-links';

export default function TrackingLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <AreaLinks area="tracking" />
      {children}
    </>
  );
}
