'use client';

import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { hasPermission } from '../../server/identity/roles';
import { useTRPC } from '../api/client';
import { onDemand } from '../api/on-demand';
import { SHOWS_OWN_ERROR } from '../api/page-queries';
import { useBackOffice } from '../shell/back-office';
import { useDialogState } from '../ui/dialog/dialog-state';
import { useDialogEverOpened } from '../ui/floating/use-opened-after-mount';
import { TextFilter } from '../ui/list/filter/list-filters';
import { matchesSearch } from '../ui/list/filter/list-match';
import { ListPage } from '../ui/list/list-page';
import { useListUrl } from '../ui/list/use-list-url';
import { useCountryName } from '../ui/value/country-names';
import type { Country } from './country-drawer';
import { UnmatchedNames } from './unmatched-names';

const CountryDrawer = onDemand(() => import('./country-drawer').then((module) => module.CountryDrawer));

/** The countries, the names that orders use for them, and the names that do not match a country yet. */
export function CountriesPage() {
  const t = useTranslations('countries');
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const canWrite = hasPermission(useBackOffice().user.role, 'shops.write');
  const url = useListUrl(['search']);
  const { search } = url.filters;
  const { data, ...query } = useQuery(trpc.countries.list.queryOptions(undefined, SHOWS_OWN_ERROR));
  const rematch = useMutation(
    trpc.countries.rematch.mutationOptions({
      onSuccess: async ({ matched_orders: count }) => {
        await queryClient.invalidateQueries(trpc.countries.pathFilter());
        notifications.show({ message: t('rematched', { count }), color: 'green' });
      },
    }),
  );
  const drawer = useDialogState<string>();
  const wasDrawerOpened = useDialogEverOpened(drawer.opened);
  const openedCountry = data?.find(({ code }) => code === drawer.subject) ?? null;
  const countryName = useCountryName();
  const isShown = ({ code, name, aliases }: Country) =>
    matchesSearch(search, [code, name, countryName(code, name), ...aliases]);
  return (
    <>
      <ListPage<Country>
        id="countries"
        title={t('title')}
        description={t('description')}
        actions={
          canWrite && (
            <Button variant="default" loading={rematch.isPending} onClick={() => rematch.mutate()}>
              {t('rematch')}
            </Button>
          )
        }
        url={url}
        filters={<TextFilter url={url} name="search" label={t('search')} />}
        query={{ ...query, data: data && { rows: data.filter(isShown) } }}
        rowKey={({ code }) => code}
        columns={[
          {
            key: 'shown',
            label: t('name'),
            heading: true,
            // The server and the browser may have different versions of the country names.
            render: ({ code, name }) => <span suppressHydrationWarning>{countryName(code, name)}</span>,
          },
          { key: 'code', label: t('code'), render: ({ code }) => <span className="mono">{code}</span> },
          {
            key: 'aliases',
            label: t('aliases'),
            render: ({ name, aliases }) => <span lang="en">{[name, ...aliases].join(', ')}</span>,
          },
          {
            key: 'actions',
            label: t('actions'),
            actions: true,
            render: ({ code, name }) => (
              <Button
                size="compact-sm"
                variant="default"
                aria-label={t('editOne', { name: countryName(code, name) })}
                suppressHydrationWarning
                onClick={() => drawer.open(code)}
              >
                {t('aliasesShort')}
              </Button>
            ),
          },
        ]}
        empty={{ title: t('none'), hint: t('noneHint') }}
      >
        {data && <UnmatchedNames countries={data} canWrite={canWrite} />}
      </ListPage>
      {wasDrawerOpened && (
        <CountryDrawer
          country={openedCountry}
          opened={drawer.opened}
          onClose={drawer.close}
          canWrite={canWrite}
        />
      )}
    </>
  );
}
