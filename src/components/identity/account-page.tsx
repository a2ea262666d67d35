'use client';

import { Alert, Box, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useTRPC } from '../api/client';
import { SHOWS_OWN_ERROR } from '../api/page-queries';
import { NotificationsSection } from '../notifications/notifications-section';
import { useBackOffice } from '../shell/back-office';
import { LoadError } from '../ui/list/list-states';
import { PageHeader } from '../ui/page/page-header';
import { AccessTokens } from './access-tokens';
import { ConsentsSection } from './account-consents';
import { PasswordSection } from './account-password';
import { ProfileSection } from './account-profile';
import { SessionsSection } from './account-sessions';
import { TwoFactorSection } from './account-two-factor';

/** The user's own account. Users who must set up a second factor see only the section for it. */
export function AccountPage() {
  const t = useTranslations('account');
  const { mustSetUpTwoFactor } = useBackOffice().user;
  const trpc = useTRPC();
  const { data: me, error, refetch } = useQuery(trpc.account.me.queryOptions(undefined, SHOWS_OWN_ERROR));
  return (
    <Box maw={880}>
      <PageHeader title={t('title')} description={me?.email} />
      {mustSetUpTwoFactor && (
        <Alert color="yellow" variant="light" c="var(--mantine-color-text)" mb="md">
          {t('mustSetUp')}
        </Alert>
      )}
      {error && <LoadError error={error} onRetry={refetch} />}
      {!me && !error && <Skeleton height={480} />}
      {me && (
        <>
          {!mustSetUpTwoFactor && (
            <>
              <ProfileSection name={me.name} timeZone={me.time_zone} storedLocale={me.locale} />
              <NotificationsSection />
              <PasswordSection hasPassword={me.has_password} email={me.email} />
            </>
          )}
          <TwoFactorSection
            enabled={me.two_factor}
            required={me.two_factor_required}
            recoveryCodeCount={me.recovery_codes_left}
          />
          {!mustSetUpTwoFactor && (
            <>
              <SessionsSection />
              <AccessTokens />
              <ConsentsSection />
            </>
          )}
        </>
      )}
    </Box>
  );
}
