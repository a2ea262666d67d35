import type { ReactNode } from 'react';
import { AreaLinks } from '../../../../../components/shell/navigation/area-links';

export default function MessagesLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <AreaLinks area="messages" />
      {children}
    </>
  );
}
