import type { ReactNode } from 'react';
import { ApiProvider } from '../../../../components/api/client';
import type { PageQueries } from '../../../../components/api/page-queries';
import { queueCountsQuery } from '../../../../components/queues/counts-query';
import { BackOfficeProvider } from '../../../../components/shell/back-office';
import { Shell } from '../../../../components/shell/shell';
import { ListPreferencesProvider } from '../../../../components/ui/list/table/list-preferences-context';
import { NamespaceMessages } from '../../../namespace-messages';
import { PageContent } from '../../../page-content';
import { loadBackOffice, loadListPreferences } from '../../../session';

/** Loads the counts in the navigation. */
const shellQueries: PageQueries = ({ trpc, load }) => load(queueCountsQuery(trpc));

/** The shell around the pages for signed-in users, except the printable ones. */
export default async function ShellLayout({ children }: { children: ReactNode }) {
  const { backOffice, timeZone } = await loadBackOffice();
  return (
    <NamespaceMessages namespaces={['reasons', 'shell']} timeZone={timeZone}>
      <BackOfficeProvider backOffice={backOffice}>
        <ApiProvider prefix={backOffice.prefix} userId={backOffice.user.id}>
          <PageContent
            queries={shellQueries}
            search={new URLSearchParams()}
            parameters={{}}
            timeZone={timeZone}
          >
            <ListPreferencesProvider initialPreferences={await loadListPreferences()}>
              <Shell>{children}</Shell>
            </ListPreferencesProvider>
          </PageContent>
        </ApiProvider>
      </BackOfficeProvider>
    </NamespaceMessages>
  );
}
