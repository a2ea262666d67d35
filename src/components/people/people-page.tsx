'use client';

import { Box, Button, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPlus } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { LOCALE_NAMES, type Locale } from '../../i18n/locale';
import { canManage, ROLES } from '../../server/identity/roles';
import { useTRPC } from '../api/client';
import { SHOWS_OWN_ERROR } from '../api/page-queries';
import { ROLE_NAMES } from '../identity/role-names';
import { useBackOffice } from '../shell/back-office';
import { useDialogState } from '../ui/dialog/dialog-state';
import { SecretDialog } from '../ui/form/secret-dialog';
import { SelectFilter, TextFilter } from '../ui/list/filter/list-filters';
import { matchesSearch } from '../ui/list/filter/list-match';
import { ListPage } from '../ui/list/list-page';
import type { RowAction } from '../ui/list/table/row-menu';
import { RowMenu } from '../ui/list/table/row-menu';
import { useListUrl } from '../ui/list/use-list-url';
import { useFormInUrl } from '../ui/url/use-form-in-url';
import { CopyBlock } from '../ui/value/copy-block';
import { StatusBadge, useStatusOptions } from '../ui/value/status-badge';
import { Instant } from '../ui/value/time/instant';
import { RolesTable } from './roles-table';
import { type User, UserForm } from './user-form';

/** The users and their roles. */
export function PeoplePage() {
  const t = useTranslations('people');
  const common = useTranslations('common');
  const statusOptions = useStatusOptions();
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { prefix, user: me } = useBackOffice();
  const url = useListUrl(['search', 'role', 'state']);
  const { search, role, state } = url.filters;
  const { data, ...query } = useQuery(trpc.people.list.queryOptions(undefined, SHOWS_OWN_ERROR));
  const callOptions = { onSuccess: () => queryClient.invalidateQueries(trpc.people.pathFilter()) };
  const deactivate = useMutation(trpc.people.deactivate.mutationOptions(callOptions));
  const reactivate = useMutation(trpc.people.reactivate.mutationOptions(callOptions));
  const resetPassword = useMutation(trpc.people.resetPassword.mutationOptions(callOptions));
  const resetTwoFactor = useMutation(trpc.people.resetTwoFactor.mutationOptions(callOptions));
  const form = useDialogState<{ user: User | null }>();
  useFormInUrl(true, () => form.open({ user: null }));
  const [newCredentials, setNewCredentials] = useState<{ email: string; password: string } | null>(null);

  const actionsOf = ({ id, name, email, active, two_factor: twoFactor, ...user }: User) => {
    if (!canManage(me.role, user.role)) return [];
    const actions: (RowAction | false)[] = [
      {
        label: t('edit'),
        onClick: () => form.open({ user: { id, name, email, active, two_factor: twoFactor, ...user } }),
      },
      email !== me.email && {
        label: t('resetPassword'),
        confirm: {
          message: t('resetPasswordHint', { name }),
          onConfirm: async () => setNewCredentials(await resetPassword.mutateAsync({ id })),
        },
      },
      twoFactor &&
        email !== me.email && {
          label: t('resetTwoFactor'),
          confirm: {
            message: t('resetTwoFactorHint', { name }),
            destructive: true,
            onConfirm: async () => {
              await resetTwoFactor.mutateAsync({ id });
              notifications.show({ message: t('twoFactorReset', { name }), color: 'green' });
            },
          },
        },
      active
        ? email !== me.email && {
            label: t('deactivate'),
            confirm: {
              message: t('deactivateHint', { name }),
              destructive: true,
              onConfirm: () => deactivate.mutateAsync({ id }),
            },
          }
        : { label: t('reactivate'), onClick: () => reactivate.mutate({ id }) },
    ];
    return actions;
  };
  const isShown = (user: User) =>
    matchesSearch(search, [user.name, user.email]) &&
    (!role || user.role === role) &&
    (!state || (state === 'active') === user.active);
  return (
    <>
      <ListPage<User>
        id="people"
        title={t('title')}
        description={t('description')}
        actions={
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => form.open({ user: null })}>
            {t('create')}
          </Button>
        }
        url={url}
        filters={
          <>
            <TextFilter url={url} name="search" label={t('search')} />
            <SelectFilter
              url={url}
              name="role"
              label={t('role')}
              options={ROLES.map((value) => ({ value, label: common(ROLE_NAMES[value]) }))}
            />
            <SelectFilter
              url={url}
              name="state"
              label={t('state')}
              options={statusOptions(['active', 'inactive'])}
            />
          </>
        }
        query={{ ...query, data: data && { rows: data.filter(isShown) } }}
        rowKey={({ id }) => String(id)}
        columns={[
          { key: 'name', label: t('name'), heading: true, render: ({ name }) => name },
          { key: 'email', label: t('email'), card: 'fact', render: ({ email }) => email },
          { key: 'role', label: t('role'), card: 'fact', render: (user) => common(ROLE_NAMES[user.role]) },
          {
            key: 'state',
            label: t('state'),
            card: 'end',
            render: ({ active }) => <StatusBadge status={active ? 'active' : 'inactive'} />,
          },
          {
            key: 'twoFactor',
            label: t('twoFactor'),
            card: 'labelled',
            render: ({ two_factor: hasTwoFactor, two_factor_required: isRequired }) =>
              hasTwoFactor ? t('twoFactorOn') : isRequired ? t('twoFactorAwaited') : t('twoFactorOff'),
          },
          {
            key: 'language',
            label: t('language'),
            hidden: true,
            render: ({ locale }) => LOCALE_NAMES[locale as Locale] ?? locale,
          },
          {
            key: 'signedIn',
            label: t('signedIn'),
            render: ({ last_sign_in_at: at }) => (at ? <Instant value={at} /> : t('never')),
          },
          {
            key: 'created',
            label: t('createdAt'),
            hidden: true,
            render: ({ created_at: at }) => <Instant value={at} />,
          },
          {
            key: 'actions',
            label: t('actions'),
            actions: true,
            render: (user) => <RowMenu name={user.name} actions={actionsOf(user)} />,
          },
        ]}
        empty={{ title: t('title'), hint: t('description') }}
      />
      <Box mt="xl">
        <RolesTable />
      </Box>
      <UserForm
        opened={form.opened}
        onClose={form.close}
        editedUser={form.subject?.user ?? null}
        onCreated={setNewCredentials}
      />
      <SecretDialog
        title={t('password', { email: newCredentials?.email ?? '' })}
        secret={newCredentials?.password ?? null}
        onDone={() => setNewCredentials(null)}
        hint={<Text>{t('passwordHint')}</Text>}
      >
        <Text>{t('signInAt')}</Text>
        <CopyBlock text={typeof window === 'undefined' ? '' : `${window.location.origin}${prefix}/sign-in`} />
      </SecretDialog>
    </>
  );
}
