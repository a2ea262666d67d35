'use client';

import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useTRPC } from '../api/client';
import { SHOWS_OWN_ERROR } from '../api/page-queries';
import type { RouterOutputs } from '../api/router-types';
import { SideDrawer } from '../ui/dialog/dialog';
import { ConfirmAction } from '../ui/form/confirm-action';
import { useSchemaForm } from '../ui/form/schema-form';
import { useCountryName } from '../ui/value/country-names';

export type Country = RouterOutputs['countries']['list'][number];

const loadAliasSchema = () =>
  import('../../server/countries/schema').then((module) => module.aliasInput.omit({ code: true }));

/** Returns the mutation that adds an alias and then shows how many orders get their country from it. */
export function useAddAlias() {
  const t = useTranslations('countries');
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return useMutation(
    trpc.countries.addAlias.mutationOptions({
      ...SHOWS_OWN_ERROR,
      onSuccess: async ({ matched_orders: count }) => {
        await queryClient.invalidateQueries(trpc.countries.pathFilter());
        notifications.show({ message: t('added', { count }), color: 'green' });
      },
    }),
  );
}

/** The aliases of a country: the names, other than its own, that orders may use for it. */
export function CountryDrawer({
  country,
  opened,
  onClose,
  canWrite,
}: {
  country: Country | null;
  opened: boolean;
  onClose: () => void;
  canWrite: boolean;
}) {
  const countryName = useCountryName();
  return (
    <SideDrawer opened={opened} onClose={onClose} title={country && countryName(country.code, country.name)}>
      {country && <Aliases country={country} canWrite={canWrite} />}
    </SideDrawer>
  );
}

function Aliases({ country: { code, aliases }, canWrite }: { country: Country; canWrite: boolean }) {
  const t = useTranslations('countries');
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const addAlias = useAddAlias();
  const removeAlias = useMutation(
    trpc.countries.removeAlias.mutationOptions({
      onSuccess: async ({ unmatched_orders: count }) => {
        await queryClient.invalidateQueries(trpc.countries.pathFilter());
        notifications.show({ message: t('removed', { count }), color: 'green' });
      },
    }),
  );
  const { form, submit, busy, failure } = useSchemaForm({
    draftKey: `alias ${code}`,
    loadSchema: loadAliasSchema,
    initialValues: { alias: '' },
    onSubmit: async ({ alias }, { reset }) => {
      await addAlias.mutateAsync({ code, alias });
      reset();
    },
  });
  return (
    <Stack gap="md">
      {canWrite && (
        <form onSubmit={submit} noValidate>
          <Group gap="sm" align="flex-end" wrap="nowrap">
            <TextInput
              {...form.getInputProps('alias')}
              name="alias"
              label={t('newAlias')}
              description={t('newAliasHint')}
              error={form.errors.alias ?? failure?.message}
              inputWrapperOrder={['label', 'description', 'error', 'input']}
              autoComplete="off"
              data-autofocus
              flex={1}
            />
            <Button type="submit" variant="default" loading={busy}>
              {t('add')}
            </Button>
          </Group>
        </form>
      )}
      {aliases.length === 0 && <Text c="dimmed">{t('noAliases')}</Text>}
      <Stack component="ul" gap={0} m={0} p={0} style={{ listStyle: 'none' }}>
        {aliases.map((alias) => (
          <Group
            key={alias}
            component="li"
            justify="space-between"
            gap="sm"
            py="xs"
            wrap="nowrap"
            style={{ borderBottom: '1px solid var(--desk-border)' }}
          >
            <Text style={{ overflowWrap: 'anywhere' }}>{alias}</Text>
            {canWrite && (
              <ConfirmAction
                title={t('remove')}
                message={t('removeHint', { alias })}
                action={t('remove')}
                destructive
                onConfirm={() => removeAlias.mutateAsync({ code, alias })}
              >
                {(ask) => (
                  <Button
                    size="compact-sm"
                    variant="default"
                    onClick={ask}
                    aria-label={t('removeOne', { alias })}
                  >
                    {t('remove')}
                  </Button>
                )}
              </ConfirmAction>
            )}
          </Group>
        ))}
      </Stack>
    </Stack>
  );
}
