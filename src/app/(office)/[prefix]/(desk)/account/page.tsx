import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { AccountPage } from '../../../../../components/identity/account-page';
import { AreaMessages } from '../../../../area-messages';
import { requirePerson } from '../../../../session';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('account');
  return { title: t('title') };
}

export default async function Account() {
  await requirePerson({ beforeTwoFactor: true });
  return (
    <AreaMessages of={['account', 'reasons']}>
      <AccountPage />
    </AreaMessages>
  );
}
