'use client';

import { Button, Group, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useLocale, useTranslations } from 'next-intl';
import { LOCALE_NAMES, LOCALES } from '../../i18n/locale';
import { useTRPC } from '../api/client';
import { OWN_ERROR } from '../api/page-queries';
import { useChangeLanguage } from '../shell/menus/language-menu';
import { FormFields } from '../ui/form/form-fields';
import { useSchemaForm } from '../ui/form/schema-form';
import { Section } from '../ui/page/detail-page';
import { NEW_YORK, useZoneName, zoneOptions } from '../ui/value/zones';

/** The user's name, time zone and language. The language applies to the pages in this browser and is stored with the account. */
export function ProfileSection({ name, timeZone }: { name: string; timeZone: string }) {
  const t = useTranslations('account');
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const router = useRouter();
  const changeLanguage = useChangeLanguage();
  const locale = useLocale();
  const zoneNameOf = useZoneName();
  // Starts with the language of this browser, which may differ from the stored one.
  const valuesOf = (me: { name: string; time_zone: string }) => ({ locale: locale as string, ...me });
  const update = useMutation(trpc.account.update.mutationOptions(OWN_ERROR));
  const formState = useSchemaForm({
    loadSchema: () =>
      import('../../server/identity/users/account-schema').then((module) =>
        module.updateMeInput.omit({ shown: true }),
      ),
    initialValues: valuesOf({ name, time_zone: timeZone }),
    edit: { shown: { name, time_zone: timeZone }, valuesOf },
    recordAfterSave: (input) => ({ name: input.name ?? name, time_zone: input.time_zone ?? timeZone }),
    onSubmit: async (input, _form, shown) => {
      await update.mutateAsync({ ...input, shown });
      await queryClient.invalidateQueries(trpc.account.me.queryFilter());
      if (input.locale) changeLanguage(input.locale);
      router.refresh();
      notifications.show({ message: t('profile.saved'), color: 'green' });
    },
  });
  return (
    <Section title={t('profile.title')}>
      <form onSubmit={formState.submit} noValidate>
        <Stack gap="md" maw={360}>
          <FormFields
            state={formState}
            fields={[
              { name: 'name', label: t('profile.name'), autoComplete: 'name' },
              {
                name: 'locale',
                label: t('profile.language'),
                kind: 'select',
                required: true,
                options: LOCALES.map((locale) => ({ value: locale, label: LOCALE_NAMES[locale] })),
              },
              {
                name: 'time_zone',
                label: t('profile.timeZone'),
                description: t('profile.timeZoneHint', { zone: zoneNameOf(NEW_YORK) }),
                kind: 'select',
                required: true,
                options: zoneOptions(timeZone),
              },
            ]}
          />
          <Group>
            <Button type="submit" loading={formState.busy}>
              {t('profile.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
