import type { Metadata } from 'next';
import { getLocale } from 'next-intl/server';
import type { ReactNode } from 'react';
import type { PageQueries } from '../components/api/page-queries';
import { loadMessages, type Messages, type Namespace } from '../i18n/messages';
import type { Permission } from '../server/identity/roles';
import { NamespaceMessages } from './namespace-messages';
import { PageContent } from './page-content';
import { requireUser } from './session';

/** The namespaces that have a page title. */
type TitledNamespace = { [A in Namespace]: Messages[A] extends { title: string } ? A : never }[Namespace];

type WithTitle<Parameters> =
  | { namespace: TitledNamespace; title?: undefined }
  | { namespace: Namespace; title: (parameters: Parameters, search: URLSearchParams) => Promise<string> };

type PageDefinition<Parameters> = WithTitle<Parameters> & {
  /** Other namespaces whose messages the page uses. Reasons are always included. */
  otherNamespaces?: readonly Namespace[];
  /** The permission that the page requires; null for pages that every user may open, even before setting up a second factor. */
  permission: Permission | null;
  /** Loads the data that the page shows first. */
  queries?: PageQueries<Parameters>;
  content: (parameters: Parameters) => ReactNode;
};

interface Props<Parameters> {
  params: Promise<Parameters>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** Converts Next's query parameters to `URLSearchParams`. If a parameter is repeated, its first value is used. */
function searchParamsOf(query: Record<string, string | string[] | undefined>): URLSearchParams {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    const [firstValue] = [value].flat();
    if (firstValue !== undefined) search.set(name, firstValue);
  }
  return search;
}

/** Defines a page of the back office: its title, who may see it, the data loaded for it, and its component. */
export function defineBackOfficePage<Parameters = Record<string, never>>(
  definition: PageDefinition<Parameters>,
) {
  const { namespace, otherNamespaces = [], permission, queries, content } = definition;
  return {
    async generateMetadata({ params, searchParams }: Props<Parameters>): Promise<Metadata> {
      if (definition.title)
        return { title: await definition.title(await params, searchParamsOf(await searchParams)) };
      const messages = await loadMessages(await getLocale(), [definition.namespace]);
      return { title: messages[definition.namespace]?.title };
    },
    async Page({ params, searchParams }: Props<Parameters>) {
      const { timeZone } = await requireUser(
        permission ? { permission } : { isAllowedBeforeTwoFactor: true },
      );
      const parameters = await params;
      // Called before any data is loaded, because it may refuse a malformed id.
      const children = content(parameters);
      return (
        <NamespaceMessages namespaces={[namespace, 'reasons', ...otherNamespaces]} timeZone={timeZone}>
          {queries ? (
            <PageContent
              queries={queries}
              search={searchParamsOf(await searchParams)}
              parameters={parameters}
              timeZone={timeZone}
            >
              {children}
            </PageContent>
          ) : (
            children
          )}
        </NamespaceMessages>
      );
    },
  };
}
