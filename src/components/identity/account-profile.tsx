'use client';

import { Button, Group, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocale, useTranslations } from 'next-intl';
import { useState } from 'react';
import { LOCALE_NAMES, LOCALES } from '../../i18n/locale';
import { useTRPC } from '../api/client';
import { SHOWS_OWN_ERROR } from '../api/page-queries';
import { useBackOffice } from '../shell/back-office';
import { changeLanguage, refreshTabs } from '../shell/menus/language-menu';
import { FormFields } from '../ui/form/form-fields';
import { useSchemaForm } from '../ui/form/schema-form';
import { Section } from '../ui/page/detail-page';
import { NEW_YORK, useZoneName, zoneOptions } from '../ui/value/time/zones';

interface Props {
  name: string;
  timeZone: string;
  /** Null if the user has not chosen a language. */
  storedLocale: string | null;
}

/** The user's name, time zone and language. Changes also apply to the pages in this browser at once. */
export function ProfileSection({ name, timeZone, storedLocale }: Props) {
  const t = useTranslations('account');
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { user } = useBackOffice();
  const pageLocale = useLocale();
  const [shownLocale, setShownLocale] = useState<string>(storedLocale ?? pageLocale);
  const zoneNameOf = useZoneName();
  const valuesOf = (me: { name: string; time_zone: string }) => ({ locale: shownLocale, ...me });
  const update = useMutation(trpc.account.update.mutationOptions(SHOWS_OWN_ERROR));
  const formState = useSchemaForm({
    loadSchema: () =>
      import('../../server/identity/users/account-schema').then((module) =>
        module.updateMeInput.omit({ shown: true }).required({ name: true }),
      ),
    initialValues: valuesOf({ name, time_zone: timeZone }),
    edit: { shown: { name, time_zone: timeZone }, valuesOf },
    recordAfterSave: (input) => ({ name: input.name ?? name, time_zone: input.time_zone ?? timeZone }),
    onSubmit: async ({ locale, ...input }, _form, shown) => {
      const newLocale = locale === shownLocale ? undefined : locale;
      await update.mutateAsync({ ...input, locale: newLocale, shown });
      await queryClient.invalidateQueries(trpc.account.me.queryFilter());
      if (newLocale) {
        setShownLocale(newLocale);
        changeLanguage(newLocale, user.email);
      } else refreshTabs(user.email);
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
              { name: 'name', label: t('profile.name'), autoComplete: 'name', required: true },
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
