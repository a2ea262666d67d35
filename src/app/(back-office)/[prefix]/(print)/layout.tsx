import type { ReactNode } from 'react';
import { ApiProvider } from '../../../../components/api/client';
import { BackOfficeProvider } from '../../../../components/shell/back-office';
import { NamespaceMessages } from '../../../namespace-messages';
import { getPageBridge, requireUser } from '../../../session';

/** The layout of printable pages: no header and no navigation. */
export default async function PrintLayout({ children }: { children: ReactNode }) {
  const { adminPrefix, version } = getPageBridge();
  const { name, email, role, timeZone, mustSetUpTwoFactor } = await requireUser({
    isAllowedBeforeTwoFactor: true,
  });
  return (
    <NamespaceMessages namespaces={['reasons']} timeZone={timeZone}>
      <BackOfficeProvider
        backOffice={{ prefix: adminPrefix, version, user: { name, email, role, mustSetUpTwoFactor } }}
      >
        <ApiProvider prefix={adminPrefix}>{children}</ApiProvider>
      </BackOfficeProvider>
    </NamespaceMessages>
  );
}
