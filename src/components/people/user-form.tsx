'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocale, useTranslations } from 'next-intl';
import { LOCALE_NAMES, LOCALES } from '../../i18n/locale';
import { canManage, ROLES } from '../../server/identity/roles';
import { useTRPC } from '../api/client';
import { SHOWS_OWN_ERROR } from '../api/page-queries';
import type { RouterOutputs } from '../api/router-types';
import { ROLE_NAMES } from '../identity/role-names';
import { useBackOffice } from '../shell/back-office';
import type { Field } from '../ui/form/field';
import { FormDrawer } from '../ui/form/form-drawer';

export type User = RouterOutputs['people']['list'][number];

/** Loads the schema without the password: the service generates one, which the page shows once. */
const loadCreateSchema = () =>
  import('../../server/identity/users/people-schema').then((module) =>
    module.createUserInput.omit({ password: true }),
  );
const loadUpdateSchema = () =>
  import('../../server/identity/users/people-schema').then((module) =>
    module.updateUserInput.omit({ id: true, shown: true }).required({ name: true }),
  );

interface Props {
  opened: boolean;
  onClose: () => void;
  /** The user being edited; null for a new one. */
  editedUser: User | null;
  onCreated: (credentials: { email: string; password: string }) => void;
}

/** Adds or edits a user. Only owners can make a user an owner or require a second factor. */
export function UserForm({ opened, onClose, editedUser, onCreated }: Props) {
  const t = useTranslations('people');
  const common = useTranslations('common');
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const currentLocale = useLocale();
  const { role: ownRole } = useBackOffice().user;
  const callOptions = {
    onSuccess: () => queryClient.invalidateQueries(trpc.people.pathFilter()),
    ...SHOWS_OWN_ERROR,
  };
  const create = useMutation(trpc.people.create.mutationOptions(callOptions));
  const update = useMutation(trpc.people.update.mutationOptions(callOptions));
  const fields: Field<'name' | 'role' | 'locale'>[] = [
    { name: 'name', label: t('name'), required: editedUser !== null },
    {
      name: 'role',
      label: t('role'),
      description: t('roleHint'),
      kind: 'select',
      required: true,
      options: ROLES.filter((role) => canManage(ownRole, role)).map((role) => ({
        value: role,
        label: common(ROLE_NAMES[role]),
      })),
    },
    {
      name: 'locale',
      label: t('language'),
      kind: 'select',
      required: true,
      options: LOCALES.map((locale) => ({ value: locale, label: LOCALE_NAMES[locale] })),
    },
  ];
  if (editedUser === null)
    return (
      <FormDrawer
        opened={opened}
        onClose={onClose}
        title={t('create')}
        draftKey="person new"
        loadSchema={loadCreateSchema}
        initialValues={{ email: '', name: '', role: 'operator', locale: currentLocale as string }}
        fields={[{ name: 'email', label: t('email'), kind: 'email', required: true }, ...fields]}
        action={t('create')}
        onSubmit={async (input) => {
          const { email, password } = await create.mutateAsync(input);
          if (password !== null) onCreated({ email, password });
        }}
      />
    );
  const { id } = editedUser;
  const canRequireTwoFactor = ownRole === 'owner';
  const valuesOf = ({ name, role, locale, two_factor_required: required }: User) => ({
    name,
    role: role as string,
    locale,
    ...(canRequireTwoFactor && { two_factor_required: required }),
  });
  return (
    <FormDrawer
      opened={opened}
      onClose={onClose}
      title={t('edit')}
      intro={editedUser.email}
      draftKey={`person ${editedUser.id}`}
      loadSchema={loadUpdateSchema}
      initialValues={valuesOf(editedUser)}
      edit={{ shown: editedUser, valuesOf }}
      fields={[
        ...fields,
        ...(canRequireTwoFactor
          ? [
              {
                name: 'two_factor_required' as const,
                label: t('requireTwoFactor'),
                description: t('requireTwoFactorHint'),
                kind: 'switch' as const,
              },
            ]
          : []),
      ]}
      action={t('save')}
      onSubmit={(input, shown) => update.mutateAsync({ id, ...input, shown })}
    />
  );
}
