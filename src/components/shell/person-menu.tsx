'use client';

import { ActionIcon, Menu, Text } from '@mantine/core';
import { IconBell, IconLogout, IconShieldLock } from '@tabler/icons-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { ROLE_NAMES } from '../identity/role-names';
import { useDesk } from './desk';
import styles from './shell.module.css';

/** Ends the session. next-auth's client is loaded on demand: it is needed once a day at most. */
async function leave(prefix: string, email: string): Promise<void> {
  const [{ signOut }, { forgetTyped }] = await Promise.all([
    import('next-auth/react'),
    import('./forget-typed'),
  ]);
  // On its own, next-auth would redirect to the configured address, which may differ from the one in use.
  await signOut({ redirect: false });
  forgetTyped(email);
  window.location.assign(`${prefix}/sign-in`);
}

/** The first letters of the first and the last word of a name; of a Chinese name, its last two characters. */
function initials(name: string): string {
  const words = name
    .trim()
    .split(/[\s.@_-]+/u)
    .filter(Boolean);
  const [first = ''] = words;
  if (/^\p{Script=Han}/u.test(first)) return [...first].slice(-2).join('');
  const letters = words.length > 1 ? [first, words.at(-1)!] : [first];
  return letters.map((word) => [...word][0]?.toUpperCase() ?? '').join('');
}

/** The signed-in user's menu: account and sign-out. */
export function PersonMenu() {
  const t = useTranslations('shell');
  const common = useTranslations('common');
  const { prefix, person, version } = useDesk();
  return (
    <Menu position="bottom-end" withinPortal width={248}>
      <Menu.Target>
        <ActionIcon
          variant="light"
          radius="xl"
          size={32}
          className={styles.person}
          aria-label={t('personMenu', { name: person.name })}
        >
          {initials(person.name)}
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <div style={{ padding: '4px 12px 8px' }}>
          <Text size="sm" fw={600} truncate>
            {person.name}
          </Text>
          <Text size="xs" c="dimmed" truncate>
            {person.email}
          </Text>
          <Text size="xs" c="dimmed">
            {common(ROLE_NAMES[person.role])}
          </Text>
        </div>
        <Menu.Divider />
        <Menu.Item component={Link} href={`${prefix}/account`} leftSection={<IconShieldLock size={16} />}>
          {t('account')}
        </Menu.Item>
        {!person.mustSetUpTwoFactor && (
          <Menu.Item
            component={Link}
            href={`${prefix}/account/notifications`}
            leftSection={<IconBell size={16} />}
          >
            {t('notifications')}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void leave(prefix, person.email)}>
          {t('signOut')}
        </Menu.Item>
        <Menu.Divider />
        <Text size="xs" c="dimmed" px={12} py={4}>
          {t('version', { version })}
        </Text>
      </Menu.Dropdown>
    </Menu>
  );
}
