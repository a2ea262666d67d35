import type { Metadata } from 'next';
import { getLocale } from 'next-intl/server';
import type { ReactNode } from 'react';
import { type Area, loadMessages, type Messages } from '../i18n/messages';
import type { Permission } from '../server/identity/roles';
import { AreaMessages } from './area-messages';
import { requirePerson } from './session';

/** The areas whose messages say how their page is called. */
type TitledArea = { [A in Area]: Messages[A] extends { title: string } ? A : never }[Area];

interface Declared<Parameters> {
  /** Names the page, and holds its texts. */
  area: TitledArea;
  /** What else it has texts from, beside the reasons why something is refused. */
  beside?: readonly Area[];
  /** What a role must allow. */
  may: Permission;
  content: (parameters: Parameters) => ReactNode;
}

/** A page of the back office: what it is called, whom it is for, and the component that it places. */
export function deskPage<Parameters = Record<string, never>>({
  area,
  beside = [],
  may,
  content,
}: Declared<Parameters>) {
  return {
    async generateMetadata(): Promise<Metadata> {
      const messages = await loadMessages(await getLocale(), [area]);
      return { title: messages[area]?.title };
    },
    async Page({ params }: { params: Promise<Parameters> }) {
      await requirePerson({ may });
      return <AreaMessages of={[area, 'reasons', ...beside]}>{content(await params)}</AreaMessages>;
    },
  };
}
