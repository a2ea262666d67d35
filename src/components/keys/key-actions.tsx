'use client';

import { Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { MAX_GRACE_HOURS } from '../../server/identity/keys/bounds';
import { useTRPC } from '../api/client';
import { onDemand } from '../api/on-demand';
import { SHOWS_OWN_ERROR } from '../api/page-queries';
import { useDialogState } from '../ui/dialog/dialog-state';
import { FormDrawer } from '../ui/form/form-drawer';
import { SecretDialog } from '../ui/form/secret-dialog';
import type { PageAction } from '../ui/page/action-buttons';
import { Instant } from '../ui/value/time/instant';
import { type ApiKey, KeyForm, type NewKey } from './key-form';

const FirstCall = onDemand(() => import('./first-call').then((module) => module.FirstCall));

const DEFAULT_GRACE_HOURS = 24;
const loadRotateSchema = () =>
  import('../../server/identity/keys/schema').then((module) => module.rotateKeyInput.omit({ id: true }));

interface KeyActions {
  openCreateForm: () => void;
  /** The actions that a key allows in its current state. */
  actionsOf: (key: ApiKey) => (PageAction | false)[];
  /** The drawers and dialogs of the actions; the page must render them. */
  dialogs: ReactNode;
}

/** Creates, edits, rotates and revokes keys, for every page that shows them. */
export function useKeyActions(): KeyActions {
  const t = useTranslations('keys');
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const reload = () => queryClient.invalidateQueries(trpc.keys.list.queryFilter());
  const revoke = useMutation(trpc.keys.revoke.mutationOptions({ onSuccess: reload }));
  const rotate = useMutation(trpc.keys.rotate.mutationOptions({ onSuccess: reload, ...SHOWS_OWN_ERROR }));
  const form = useDialogState<{ key: ApiKey | null }>();
  const rotateDrawer = useDialogState<ApiKey>();
  const [newKey, setNewKey] = useState<(NewKey & { oldKeyExpiresAt?: string }) | null>(null);
  return {
    openCreateForm: () => form.open({ key: null }),
    actionsOf: (key) => [
      key.state !== 'revoked' && { label: t('edit'), onClick: () => form.open({ key }) },
      key.state === 'active' &&
        !key.rotation && { label: t('rotate'), onClick: () => rotateDrawer.open(key) },
      key.state !== 'revoked' && {
        label: t('revoke'),
        confirm: {
          message: t('revokeHint', { name: key.name }),
          destructive: true,
          onConfirm: () => revoke.mutateAsync({ id: key.id }),
        },
      },
    ],
    dialogs: (
      <>
        <KeyForm
          opened={form.opened}
          onClose={form.close}
          editedKey={form.subject?.key ?? null}
          onCreated={setNewKey}
        />
        <FormDrawer
          opened={rotateDrawer.opened}
          onClose={rotateDrawer.close}
          title={t('rotate')}
          intro={t('rotateHint', { name: rotateDrawer.subject?.name ?? '' })}
          draftKey={null}
          loadSchema={loadRotateSchema}
          initialValues={{ grace_hours: DEFAULT_GRACE_HOURS }}
          fields={[
            {
              name: 'grace_hours',
              label: t('grace'),
              description: t('graceHint', { max: MAX_GRACE_HOURS }),
              kind: 'number',
              required: true,
            },
          ]}
          action={t('rotate')}
          onSubmit={async (input) => {
            const { old: oldKey, ...key } = await rotate.mutateAsync({
              id: rotateDrawer.subject!.id,
              ...input,
            });
            setNewKey({ ...key, oldKeyExpiresAt: oldKey.expires_at });
          }}
        />
        <SecretDialog
          title={t('created', { name: newKey?.name ?? '' })}
          secret={newKey?.key ?? null}
          onDone={() => setNewKey(null)}
          hint={
            newKey?.oldKeyExpiresAt && (
              <Text>
                {t.rich('oldUntil', { instant: () => <Instant value={newKey.oldKeyExpiresAt!} /> })}
              </Text>
            )
          }
        >
          {newKey && <FirstCall apiKey={newKey} />}
        </SecretDialog>
      </>
    ),
  };
}
