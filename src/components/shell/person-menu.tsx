'use client';

import { ActionIcon, Menu, Text } from '@mantine/core';
import { IconLogout, IconShieldLock, IconUserCircle } from '@tabler/icons-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { ROLE_NAMES } from '../identity/role-names';
import { useDesk } from './desk';

/** Ends the session. next-auth's client is loaded on demand: it is needed once a day at most. */
async function leave(prefix: string): Promise<void> {
  const { signOut } = await import('next-auth/react');
  // On its own, next-auth would redirect to the configured address, which may differ from the one in use.
  await signOut({ redirect: false });
  window.location.assign(`${prefix}/sign-in`);
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
          variant="subtle"
          color="gray"
          c="var(--mantine-color-text)"
          size={32}
          aria-label={t('personMenu', { name: person.name })}
        >
          <IconUserCircle size={20} stroke={1.75} />
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
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void leave(prefix)}>
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
