import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { resolvePathAfterSignIn } from '../../../../components/identity/path-after-sign-in';
import { SignInPage } from '../../../../components/identity/sign-in-page';
import { NamespaceMessages } from '../../../namespace-messages';
import { findUser, getPageBridge } from '../../../session';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('sign-in');
  return { title: t('title') };
}

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function SignIn({ searchParams }: Props) {
  const { adminPrefix, hasIdentityProvider } = getPageBridge();
  const { callbackUrl, error } = await searchParams;
  const nextPath = resolvePathAfterSignIn(callbackUrl, adminPrefix);
  if (await findUser()) redirect(nextPath);
  return (
    <NamespaceMessages namespaces={['sign-in', 'shell']}>
      <SignInPage
        nextPath={nextPath}
        hasIdentityProvider={hasIdentityProvider}
        failure={typeof error === 'string' ? error : null}
      />
    </NamespaceMessages>
  );
}
