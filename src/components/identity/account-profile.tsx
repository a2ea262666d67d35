'use client';

import { Button, Group, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useLocale, useTranslations } from 'next-intl';
import { LOCALE_NAMES, LOCALES } from '../../i18n/locale';
import { updateMeInput } from '../../server/identity/users/account-schema';
import { useTRPC } from '../api/client';
import { OWN_ERROR } from '../api/page-queries';
import { useChangeLanguage } from '../shell/language-menu';
import { FormFields } from '../ui/form/form-fields';
import { useSchemaForm } from '../ui/form/schema-form';
import { Section } from '../ui/page/detail-page';

/** The name and the language: of the pages in this browser, and of what is stored with the account. */
export function ProfileSection({ name }: { name: string }) {
  const t = useTranslations('account');
  const trpc = useTRPC();
  const queries = useQueryClient();
  const router = useRouter();
  const changeLanguage = useChangeLanguage();
  const update = useMutation(trpc.account.update.mutationOptions(OWN_ERROR));
  const state = useSchemaForm({
    schema: updateMeInput,
    initialValues: { name, locale: useLocale() as string },
    onSubmit: async (input) => {
      await update.mutateAsync(input);
      await queries.invalidateQueries(trpc.account.me.queryFilter());
      if (input.locale) changeLanguage(input.locale);
      router.refresh();
      notifications.show({ message: t('profile.saved'), color: 'teal' });
    },
  });
  return (
    <Section title={t('profile.title')}>
      <form onSubmit={state.submit} noValidate>
        <Stack gap="md" maw={360}>
          <FormFields
            of={state}
            fields={[
              { name: 'name', label: t('profile.name'), autoComplete: 'name' },
              {
                name: 'locale',
                label: t('profile.language'),
                kind: 'select',
                required: true,
                options: LOCALES.map((locale) => ({ value: locale, label: LOCALE_NAMES[locale] })),
              },
            ]}
          />
          <Group>
            <Button type="submit" loading={state.busy}>
              {t('profile.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
