import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { pathAfterSignIn } from '../../../../components/identity/path-after-sign-in';
import { SignInPage } from '../../../../components/identity/sign-in-page';
import { AreaMessages } from '../../../area-messages';
import { findUser, pageBridge } from '../../../session';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('sign-in');
  return { title: t('title') };
}

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function SignIn({ searchParams }: Props) {
  const { adminPrefix, hasIdentityProvider } = pageBridge();
  const { callbackUrl, error } = await searchParams;
  const nextPath = pathAfterSignIn(callbackUrl, adminPrefix);
  if (await findUser()) redirect(nextPath);
  return (
    <AreaMessages areas={['sign-in', 'shell']}>
      <SignInPage
        nextPath={nextPath}
        hasIdentityProvider={hasIdentityProvider}
        failure={typeof error === 'string' ? error : null}
      />
    </AreaMessages>
  );
}
