'use client';

import { IconCheck } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { messageKeys } from '../../i18n/message-keys';
import { hasPermission, type Permission, permissionsOf, ROLES } from '../../server/identity/roles';
import type { Role } from '../../server/identity/schema';
import { ROLE_NAMES } from '../identity/role-names';
import { ListTable } from '../ui/list/table/list-table';
import { Section } from '../ui/page/detail-page';

const PERMISSION_NAMES = messageKeys('people', {
  'self.manage': 'permissions.selfManage',
  'orders.read': 'permissions.ordersRead',
  'orders.write': 'permissions.ordersWrite',
  'imports.read': 'permissions.importsRead',
  'imports.write': 'permissions.importsWrite',
  'tracking.read': 'permissions.trackingRead',
  'tracking.write': 'permissions.trackingWrite',
  'messages.read': 'permissions.messagesRead',
  'messages.write': 'permissions.messagesWrite',
  'prompts.write': 'permissions.promptsWrite',
  'statistics.read': 'permissions.statisticsRead',
  'statistics.write': 'permissions.statisticsWrite',
  'catalog.read': 'permissions.catalogRead',
  'catalog.write': 'permissions.catalogWrite',
  'shops.write': 'permissions.shopsWrite',
  'shops.delete': 'permissions.shopsDelete',
  'records.read': 'permissions.recordsRead',
  'keys.read': 'permissions.keysRead',
  'keys.write': 'permissions.keysWrite',
  'channels.write': 'permissions.channelsWrite',
  'clients.read': 'permissions.clientsRead',
  'clients.write': 'permissions.clientsWrite',
  'users.read': 'permissions.usersRead',
  'users.write': 'permissions.usersWrite',
  'audit.read': 'permissions.auditRead',
  'settings.read': 'permissions.settingsRead',
}) satisfies Record<Permission, string>;

/** The permissions of each role, from the table that the service itself uses. */
export function RolesTable() {
  const t = useTranslations('people');
  const common = useTranslations('common');
  return (
    <Section title={t('roles.title')} description={t('roles.hint')}>
      <ListTable<Permission>
        label={t('roles.title')}
        // An owner may do everything.
        rows={permissionsOf('owner')}
        rowKey={(permission) => permission}
        columns={[
          {
            key: 'permission',
            label: t('roles.permission'),
            heading: true,
            render: (permission) => t(PERMISSION_NAMES[permission]),
          },
          ...ROLES.map((role: Role) => ({
            key: role,
            label: common(ROLE_NAMES[role]),
            render: (permission: Permission) =>
              hasPermission(role, permission) ? (
                <IconCheck size={16} role="img" aria-label={t('roles.may')} />
              ) : (
                <span className="visually-hidden">{t('roles.mayNot')}</span>
              ),
          })),
        ]}
      />
    </Section>
  );
}
