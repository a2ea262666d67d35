import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { AuditPage } from '../../../../../components/identity/audit-page';
import { AreaMessages } from '../../../../area-messages';
import { requirePerson } from '../../../../session';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('audit');
  return { title: t('title') };
}

export default async function Audit() {
  await requirePerson({ may: 'audit.read' });
  return (
    <AreaMessages of={['audit', 'reasons']}>
      <AuditPage />
    </AreaMessages>
  );
}
