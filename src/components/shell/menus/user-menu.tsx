'use client';

import { ActionIcon, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconBell, IconLogout, IconShieldLock } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { checkConnection } from '../../api/connection';
import { ROLE_NAMES } from '../../identity/role-names';
import { MenuButton } from '../../ui/floating/menu-button';
import { useBackOffice } from '../back-office';
import styles from '../shell.module.css';

/** Returns the initials of a name's first and last word, or of its only word; for a Chinese first word, its last two characters. */
function initialsOf(name: string): string {
  const words = name
    .trim()
    .split(/[\s.@_-]+/u)
    .filter(Boolean);
  const [firstWord = ''] = words;
  if (/^\p{Script=Han}/u.test(firstWord)) return [...firstWord].slice(-2).join('');
  const wordsForInitials = words.length > 1 ? [firstWord, words.at(-1)!] : [firstWord];
  return wordsForInitials.map((word) => [...word][0]?.toUpperCase() ?? '').join('');
}

/** The signed-in user's menu: who they are, links to their account and notifications, and sign-out. */
export function UserMenu() {
  const t = useTranslations('shell');
  const common = useTranslations('common');
  const { prefix, user, version } = useBackOffice();
  return (
    <MenuButton
      width={248}
      button={
        <ActionIcon
          variant="light"
          radius="xl"
          size={32}
          className={styles.user}
          aria-label={t('personMenu', { name: user.name })}
          data-initials={initialsOf(user.name)}
        />
      }
      before={
        <div style={{ padding: '4px 12px 8px' }}>
          <Text size="sm" fw={600} truncate>
            {user.name}
          </Text>
          <Text size="xs" c="dimmed" truncate>
            {user.email}
          </Text>
          <Text size="xs" c="dimmed">
            {common(ROLE_NAMES[user.role])}
          </Text>
        </div>
      }
      entries={[
        'line',
        { label: t('account'), icon: <IconShieldLock size={16} />, pagePath: `${prefix}/account` },
        !user.mustSetUpTwoFactor && {
          label: t('notifications'),
          icon: <IconBell size={16} />,
          pagePath: `${prefix}/account/notifications`,
        },
        {
          label: t('signOut'),
          icon: <IconLogout size={16} />,
          // Loaded on demand, because next-auth's client is rarely needed.
          onClick: () =>
            void import('./end-session')
              .then(({ endSession }) => endSession(prefix, user.email))
              .catch(() => {
                void checkConnection();
                notifications.show({ color: 'red', autoClose: false, message: t('signOutFailed') });
              }),
        },
        'line',
      ]}
      after={
        <Text size="xs" c="dimmed" px={12} py={4}>
          {t('version', { version })}
        </Text>
      }
    />
  );
}
