import type { ReactNode } from 'react';
import { ApiProvider } from '../../../../components/api/client';
import { BackOfficeProvider } from '../../../../components/shell/back-office';
import { NamespaceMessages } from '../../../namespace-messages';
import { loadBackOffice } from '../../../session';

/** The layout of printable pages: no header and no navigation. */
export default async function PrintLayout({ children }: { children: ReactNode }) {
  const { backOffice, timeZone } = await loadBackOffice();
  return (
    <NamespaceMessages namespaces={['reasons']} timeZone={timeZone}>
      <BackOfficeProvider backOffice={backOffice}>
        <ApiProvider prefix={backOffice.prefix} userId={backOffice.user.id}>
          {children}
        </ApiProvider>
      </BackOfficeProvider>
    </NamespaceMessages>
  );
}
