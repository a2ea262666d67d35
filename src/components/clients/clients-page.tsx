'use client';

import { Box, Button, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPlus } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useTRPC } from '../api/client';
import { SHOWS_OWN_ERROR } from '../api/page-queries';
import type { RouterOutputs } from '../api/router-types';
import { useDialogState } from '../ui/dialog/dialog-state';
import { ConfirmAction } from '../ui/form/confirm-action';
import { FormDrawer } from '../ui/form/form-drawer';
import { SecretDialog } from '../ui/form/secret-dialog';
import { SearchAndStateFilters } from '../ui/list/filter/list-filters';
import { matchesSearch } from '../ui/list/filter/list-match';
import { ListPage } from '../ui/list/list-page';
import { RowMenu } from '../ui/list/table/row-menu';
import { useListUrl } from '../ui/list/use-list-url';
import { Facts } from '../ui/page/detail-page';
import { CopyableText } from '../ui/value/copyable-text';
import { StatusBadge, useStatusOptions } from '../ui/value/status-badge';
import { Instant } from '../ui/value/time/instant';

type Client = RouterOutputs['clients']['list'][number];

const loadRenameSchema = () =>
  import('../../server/identity/oauth/client-schema').then((module) =>
    module.renameClientInput.omit({ client_id: true }),
  );

/** The OAuth clients that users sign in to with their Brickdesk account. */
export function ClientsPage({ issuer }: { issuer: string }) {
  const t = useTranslations('clients');
  const trpc = useTRPC();
  const statusOptions = useStatusOptions();
  const queryClient = useQueryClient();
  const url = useListUrl(['search', 'state']);
  const { search, state } = url.filters;
  const { data, ...query } = useQuery(trpc.clients.list.queryOptions(undefined, SHOWS_OWN_ERROR));
  const reload = () => queryClient.invalidateQueries(trpc.clients.pathFilter());
  const callOptions = { onSuccess: reload, ...SHOWS_OWN_ERROR };
  const create = useMutation(trpc.clients.create.mutationOptions(callOptions));
  const rename = useMutation(trpc.clients.rename.mutationOptions(callOptions));
  const revoke = useMutation(trpc.clients.revoke.mutationOptions({ onSuccess: reload }));
  const rotateSigningKey = useMutation(trpc.clients.rotateSigningKey.mutationOptions());
  const [isCreating, setIsCreating] = useState(false);
  const renameDrawer = useDialogState<Client>();
  const [newClient, setNewClient] = useState<{ id: string; secret: string } | null>(null);
  const discoveryUrl = `${issuer}/.well-known/openid-configuration`;
  const createButton = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setIsCreating(true)}>
      {t('create')}
    </Button>
  );
  const isShown = (client: Client) =>
    matchesSearch(search, [client.name, client.client_id, ...client.redirect_uris]) &&
    (!state || client.state === state);
  return (
    <>
      <ListPage<Client>
        id="clients"
        title={t('title')}
        description={t('description')}
        actions={
          <>
            <ConfirmAction
              title={t('rotate')}
              message={t('rotateHint')}
              action={t('rotate')}
              onConfirm={async () => {
                await rotateSigningKey.mutateAsync();
                notifications.show({ message: t('rotated'), color: 'green' });
              }}
            >
              {(ask) => (
                <Button variant="default" onClick={ask}>
                  {t('rotate')}
                </Button>
              )}
            </ConfirmAction>
            {createButton}
          </>
        }
        url={url}
        filters={
          <SearchAndStateFilters
            url={url}
            searchLabel={t('search')}
            stateLabel={t('state')}
            stateOptions={statusOptions(['active', 'revoked'])}
          />
        }
        query={{ ...query, data: data && { rows: data.filter(isShown) } }}
        rowKey={({ client_id: id }) => id}
        columns={[
          { key: 'name', label: t('name'), heading: true, render: ({ name }) => name },
          { key: 'id', label: t('id'), render: ({ client_id: id }) => <CopyableText value={id} /> },
          {
            key: 'kind',
            label: t('kind'),
            render: (client) => (client.public ? t('public') : t('confidential')),
          },
          {
            key: 'redirects',
            label: t('redirects'),
            render: ({ redirect_uris: uris }) =>
              uris.map((uri) => (
                <div key={uri} className="mono">
                  {uri}
                </div>
              )),
          },
          {
            key: 'state',
            label: t('state'),
            render: (client) => <StatusBadge status={client.state} />,
          },
          {
            key: 'createdBy',
            label: t('createdBy'),
            hidden: true,
            render: ({ created_by: creator }) => creator,
          },
          {
            key: 'created',
            label: t('createdAt'),
            render: ({ created_at: at }) => <Instant value={at} dateOnly />,
          },
          {
            key: 'actions',
            label: t('actions'),
            actions: true,
            render: (client) => (
              <RowMenu
                name={client.name}
                actions={[
                  client.state === 'active' && {
                    label: t('rename'),
                    onClick: () => renameDrawer.open(client),
                  },
                  client.state === 'active' && {
                    label: t('revoke'),
                    confirm: {
                      message: t('revokeHint', { name: client.name }),
                      destructive: true,
                      onConfirm: () => revoke.mutateAsync({ client_id: client.client_id }),
                    },
                  },
                ]}
              />
            ),
          },
        ]}
        empty={{ title: t('none'), hint: t('noneHint'), action: createButton }}
      >
        <Box mb="md">
          <Facts facts={[{ label: t('discovery'), value: <CopyableText value={discoveryUrl} /> }]} />
        </Box>
      </ListPage>
      <FormDrawer
        opened={isCreating}
        onClose={() => setIsCreating(false)}
        title={t('create')}
        draftKey="app new"
        loadSchema={() =>
          import('../../server/identity/oauth/client-schema').then((module) => module.createClientInput)
        }
        initialValues={{ name: '', redirect_uris: [] as string[], public: false }}
        fields={[
          { name: 'name', label: t('name'), description: t('nameHint'), required: true },
          {
            name: 'redirect_uris',
            label: t('redirects'),
            description: t('redirectsHint'),
            kind: 'tags',
            placeholder: 'https://wiki.example/callback',
            required: true,
            mono: true,
          },
          { name: 'public', label: t('isPublic'), description: t('isPublicHint'), kind: 'switch' },
        ]}
        action={t('create')}
        onSubmit={async (input) => {
          const { client_id: id, client_secret: secret } = await create.mutateAsync(input);
          if (secret !== null) setNewClient({ id, secret });
          else notifications.show({ message: t('createdPublic'), color: 'green' });
        }}
      />
      <FormDrawer
        opened={renameDrawer.opened}
        onClose={renameDrawer.close}
        title={t('rename')}
        draftKey={`app ${renameDrawer.subject?.client_id}`}
        loadSchema={loadRenameSchema}
        initialValues={{ name: renameDrawer.subject?.name ?? '' }}
        edit={renameDrawer.subject && { shown: renameDrawer.subject, valuesOf: ({ name }) => ({ name }) }}
        fields={[{ name: 'name', label: t('name'), description: t('nameHint'), required: true }]}
        action={t('save')}
        onSubmit={(input, shown) =>
          rename.mutateAsync({ client_id: renameDrawer.subject!.client_id, ...input, shown })
        }
      />
      <SecretDialog
        title={t('created')}
        secret={newClient?.secret ?? null}
        onDone={() => setNewClient(null)}
        hint={<Text>{t('secretHint')}</Text>}
      >
        {newClient && (
          <Facts
            facts={[
              { label: t('id'), value: <CopyableText value={newClient.id} /> },
              { label: t('discovery'), value: <CopyableText value={discoveryUrl} /> },
            ]}
          />
        )}
      </SecretDialog>
    </>
  );
}
