import type { Metadata } from 'next';
import { getLocale } from 'next-intl/server';
import type { ReactNode } from 'react';
import type { PageQueries } from '../components/api/page-queries';
import { type Area, loadMessages, type Messages } from '../i18n/messages';
import type { Permission } from '../server/identity/roles';
import { AreaMessages } from './area-messages';
import { PageContent } from './page-content';
import { requireUser } from './session';

/** The areas with a message for the page's title. */
type TitledArea = { [A in Area]: Messages[A] extends { title: string } ? A : never }[Area];

type Named<Parameters> =
  | { area: TitledArea; title?: undefined }
  | { area: Area; title: (parameters: Parameters) => Promise<string> };

type Declared<Parameters> = Named<Parameters> & {
  /** The areas of the page's other texts. Reasons are always included. */
  beside?: readonly Area[];
  /** The permission that a role needs; null for pages open to everyone, even before a second factor is set up. */
  may: Permission | null;
  /** The queries whose results the page shows first. */
  queries?: PageQueries<Parameters>;
  content: (parameters: Parameters) => ReactNode;
};

interface Props<Parameters> {
  params: Promise<Parameters>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** The parameters of an address; of a repeated one, the first. */
function searchOf(given: Record<string, string | string[] | undefined>): URLSearchParams {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) {
    const [first] = [value].flat();
    if (first !== undefined) search.set(name, first);
  }
  return search;
}

/** A page of the back office: its title, who may see it, the data that is loaded for it, and its component. */
export function deskPage<Parameters = Record<string, never>>(declared: Declared<Parameters>) {
  const { area, beside = [], may, queries, content } = declared;
  return {
    async generateMetadata({ params }: Props<Parameters>): Promise<Metadata> {
      if (declared.title) return { title: await declared.title(await params) };
      const messages = await loadMessages(await getLocale(), [declared.area]);
      return { title: messages[declared.area]?.title };
    },
    async Page({ params, searchParams }: Props<Parameters>) {
      const { timeZone } = await requireUser(may ? { may } : { beforeTwoFactor: true });
      const parameters = await params;
      // A malformed id is refused here, before anything is loaded for it.
      const children = content(parameters);
      return (
        <AreaMessages of={[area, 'reasons', ...beside]} timeZone={timeZone}>
          {queries ? (
            <PageContent
              queries={queries}
              search={searchOf(await searchParams)}
              parameters={parameters}
              timeZone={timeZone}
            >
              {children}
            </PageContent>
          ) : (
            children
          )}
        </AreaMessages>
      );
    },
  };
}
