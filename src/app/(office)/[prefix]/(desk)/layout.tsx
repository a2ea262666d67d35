import type { ReactNode } from 'react';
import { ApiProvider } from '../../../../components/api/client';
import { DeskProvider } from '../../../../components/shell/desk';
import { Shell } from '../../../../components/shell/shell';
import { AreaMessages } from '../../../area-messages';
import { pageBridge, requirePerson } from '../../../session';

/** The shell around every page of a signed-in user. Each page still checks who that is. */
export default async function DeskLayout({ children }: { children: ReactNode }) {
  const { adminPrefix, version } = pageBridge();
  const { name, email, role, mustSetUpTwoFactor } = await requirePerson({ beforeTwoFactor: true });
  return (
    <AreaMessages of={['reasons', 'shell']}>
      <DeskProvider
        desk={{ prefix: adminPrefix, version, person: { name, email, role, mustSetUpTwoFactor } }}
      >
        <ApiProvider prefix={adminPrefix}>
          <Shell>{children}</Shell>
        </ApiProvider>
      </DeskProvider>
    </AreaMessages>
  );
}
