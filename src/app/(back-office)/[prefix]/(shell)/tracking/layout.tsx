import type { ReactNode } from 'react';
import { AreaLinks } from '../../../../../components/shell/area-links';

export default function TrackingLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <AreaLinks area="tracking" />
      {children}
    </>
  );
}
