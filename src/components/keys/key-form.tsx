'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useFormatter, useTranslations } from 'next-intl';
import type { z } from 'zod';
import { messageKeys } from '../../i18n/message-keys';
import { useTRPC } from '../api/client';
import { SHOWS_OWN_ERROR } from '../api/page-queries';
import type { RouterOutputs } from '../api/router-types';
import { FormDrawer } from '../ui/form/form-drawer';
import { useReaderZone } from '../ui/value/time/zones';
import { DEFAULT_EXPIRY, EXPIRIES, resolveExpiry } from './key-expiry';
import type { keyFormSchema as KeyFormSchema } from './key-form-schema';
import { useOperationName } from './operation-names';

export type ApiKey = RouterOutputs['keys']['list'][number];
export type NewKey = RouterOutputs['keys']['create'];

const EXPIRY_NAMES = messageKeys('keys', {
  keep: 'expiry.keep',
  '30': 'expiry.month',
  '90': 'expiry.quarter',
  '365': 'expiry.year',
  never: 'expiry.never',
  day: 'expiry.day',
});

const valuesOf = (key: ApiKey | null) => ({
  name: key?.name ?? '',
  expiry: key ? 'keep' : DEFAULT_EXPIRY,
  until: '',
  scopes: key?.scopes ?? [],
  address_ranges: key?.address_ranges ?? [],
  reply_tokens_per_day: key?.reply_tokens_per_day ?? '',
});

const loadKeySchema = () => import('./key-form-schema').then((module) => module.keyFormSchema);

interface Props {
  opened: boolean;
  onClose: () => void;
  /** The key being edited; null for a new one. */
  editedKey: ApiKey | null;
  onCreated: (key: NewKey) => void;
}

/** Creates or edits a key. */
export function KeyForm({ opened, onClose, editedKey, onCreated }: Props) {
  const t = useTranslations('keys');
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const operationName = useOperationName();
  const zone = useReaderZone();
  const format = useFormatter();
  const { data: operations = [] } = useQuery(
    trpc.keys.operations.queryOptions(undefined, { enabled: opened }),
  );
  const callOptions = {
    onSuccess: () => queryClient.invalidateQueries(trpc.keys.list.queryFilter()),
    ...SHOWS_OWN_ERROR,
  };
  const create = useMutation(trpc.keys.create.mutationOptions(callOptions));
  const update = useMutation(trpc.keys.update.mutationOptions(callOptions));

  const save = (shownKey: ApiKey, { expiry, until, ...input }: z.output<typeof KeyFormSchema>) =>
    update.mutateAsync({
      id: shownKey.id,
      shown: shownKey,
      ...input,
      // If left empty, the configured default applies again.
      reply_tokens_per_day: input.reply_tokens_per_day ?? null,
      ...(expiry === 'keep' ? {} : { expires_at: resolveExpiry(expiry, until, zone) }),
    });

  return (
    <FormDrawer
      opened={opened}
      onClose={onClose}
      title={editedKey ? t('edit') : t('create')}
      draftKey={`key ${editedKey?.id ?? 'new'}`}
      loadSchema={loadKeySchema}
      initialValues={valuesOf(editedKey)}
      edit={editedKey && { shown: editedKey, valuesOf, fieldNames: { expires_at: 'expiry' } }}
      fields={[
        { name: 'name', label: t('name'), description: t('nameHint'), required: true },
        {
          name: 'expiry',
          label: t('expires'),
          kind: 'select',
          required: true,
          storedText: ({ expires_at: at }) =>
            at
              ? format.dateTime(new Date(String(at)), { dateStyle: 'medium', timeZone: zone })
              : t('expiry.never'),
          options: [...(editedKey ? ['keep' as const] : []), ...EXPIRIES].map((value) => ({
            value,
            label: t(EXPIRY_NAMES[value]),
          })),
        },
        {
          name: 'until',
          label: t('until'),
          description: t('untilHint'),
          kind: 'day',
          required: true,
          isShown: ({ expiry }) => expiry === 'day',
        },
        {
          name: 'address_ranges',
          label: t('ranges'),
          description: t('rangesHint'),
          kind: 'tags',
          placeholder: '203.0.113.0/24',
          mono: true,
        },
        {
          name: 'reply_tokens_per_day',
          label: t('replyTokens'),
          description: t('replyTokensHint'),
          kind: 'number',
        },
        {
          name: 'scopes',
          label: t('scopes'),
          description: t('scopesHint'),
          kind: 'checkMany',
          options: operations.map((operation) => ({
            value: operation.name,
            label: operationName(operation),
            description: operation.name,
          })),
        },
      ]}
      action={editedKey ? t('save') : t('create')}
      onSubmit={async (input, shown) => {
        if (shown) return save(shown, input);
        const { expiry, until, ...key } = input;
        if (expiry === 'keep') return;
        onCreated(await create.mutateAsync({ ...key, expires_at: resolveExpiry(expiry, until, zone) }));
      }}
    />
  );
}
