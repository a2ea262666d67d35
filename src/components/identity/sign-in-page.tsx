'use client';

import { Alert, Button, Center, Divider, Group, Stack, Text, Title } from '@mantine/core';
import { signIn } from 'next-auth/react';
import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import { messageKeys } from '../../i18n/message-keys';
import type { TIME_ZONE_COOKIE as SERVER_COOKIE } from '../../server/identity/users/schema';
import { ColorSchemeMenu } from '../shell/menus/color-scheme-menu';
import { LanguageMenu } from '../shell/menus/language-menu';
import { BrandMark } from '../ui/brand/mark';
import { storeCookie } from '../ui/page/store-cookie';
import styles from './sign-in.module.css';
import { CodeStep } from './sign-in-code-step';
import { type Credentials, PasswordStep } from './sign-in-password-step';

const FAILURE_TEXTS = messageKeys('sign-in', {
  wrong_credentials: 'failures.wrongCredentials',
  too_many_attempts: 'failures.tooManyAttempts',
  wrong_code: 'failures.wrongCode',
  second_factor_unreadable: 'failures.secondFactorUnreadable',
  AccessDenied: 'failures.accessDenied',
  offline: 'failures.offline',
  expired: 'failures.expired',
  OAuthSignin: 'failures.identityProvider',
  OAuthCallback: 'failures.identityProvider',
  Callback: 'failures.identityProvider',
});

/** The cookie from which the server takes the time zone of a user who has not set one. */
const TIME_ZONE_COOKIE: typeof SERVER_COOKIE = 'brickdesk.time-zone';

/** The credentials of a user whom the identity provider has vouched for: only the code is missing. */
const NO_CREDENTIALS: Credentials = { email: '', password: '' };

interface Props {
  /** The path to open after signing in. */
  nextPath: string;
  /** Whether there is an identity provider to sign in through. */
  hasIdentityProvider: boolean;
  /** Why the sign-in through the identity provider failed, from the URL; `code_required` if only the code is missing. */
  failure: string | null;
}

/** Sign-in: e-mail and password, then a code if the user has a second factor; or the identity provider. */
export function SignInPage({ nextPath, hasIdentityProvider, failure: initialFailure }: Props) {
  const t = useTranslations('sign-in');
  const needsCode = initialFailure === 'code_required';
  const [failure, setFailure] = useState(needsCode ? null : initialFailure);
  const [credentials, setCredentials] = useState<Credentials | null>(needsCode ? NO_CREDENTIALS : null);
  const [busy, setBusy] = useState(false);

  useEffect(() => storeCookie(TIME_ZONE_COOKIE, Intl.DateTimeFormat().resolvedOptions().timeZone), []);

  const submitCredentials = async (enteredCredentials: Credentials, code: string) => {
    setBusy(true);
    setFailure(null);
    try {
      const result = await signIn('credentials', { redirect: false, ...enteredCredentials, code });
      if (result?.ok && !result.error) {
        window.location.assign(nextPath);
        return;
      }
      if (result?.error === 'code_required') setCredentials(enteredCredentials);
      else setFailure(result?.error ?? 'other');
    } catch {
      setFailure('offline');
    }
    setBusy(false);
  };

  const goBack = () => {
    setCredentials(null);
    setFailure(null);
  };

  return (
    <Center component="main" className={styles.page}>
      <Stack className={styles.form} gap="md">
        <Group justify="space-between" wrap="nowrap">
          <Group gap={8}>
            <BrandMark size={24} />
            <Text fw={650} size="lg">
              Brickdesk
            </Text>
          </Group>
          <Group gap={4}>
            <LanguageMenu email="" />
            <ColorSchemeMenu />
          </Group>
        </Group>
        <Title order={1}>{credentials ? t('codeTitle') : t('title')}</Title>
        {failure && (
          <Alert role="alert" color="red" variant="light" className={styles.failure}>
            {Object.hasOwn(FAILURE_TEXTS, failure)
              ? t(FAILURE_TEXTS[failure as keyof typeof FAILURE_TEXTS])
              : t('failures.other')}
          </Alert>
        )}
        {credentials ? (
          <CodeStep busy={busy} onSubmit={(code) => submitCredentials(credentials, code)} onBack={goBack} />
        ) : (
          <PasswordStep
            busy={busy}
            onSubmit={(enteredCredentials) => submitCredentials(enteredCredentials, '')}
          />
        )}
        {hasIdentityProvider && !credentials && (
          <>
            <Divider label={t('or')} />
            <Button
              variant="default"
              fullWidth
              disabled={busy}
              onClick={() => void signIn('oidc', { callbackUrl: nextPath })}
            >
              {t('identityProvider')}
            </Button>
          </>
        )}
      </Stack>
    </Center>
  );
}
