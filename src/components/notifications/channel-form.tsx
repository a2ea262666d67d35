'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocale, useTranslations } from 'next-intl';
import { LOCALE_NAMES, LOCALES } from '../../i18n/locale';
import { hasPermission } from '../../server/identity/roles';
import { KINDS, VENDORS, type Vendor } from '../../server/notifications/kind';
import { useTRPC } from '../api/client';
import { SHOWS_OWN_ERROR } from '../api/page-queries';
import type { RouterOutputs } from '../api/router-types';
import { useBackOffice } from '../shell/back-office';
import { FormDrawer } from '../ui/form/form-drawer';
import { useReaderZone, zoneOptions } from '../ui/value/time/zones';
import { NOTIFICATION_KIND_NAMES, VENDOR_NAMES } from './names';
import type { Owner } from './queries';

export type Channel = RouterOutputs['notifications']['own']['list']['channels'][number];

interface Props {
  owner: Owner;
  opened: boolean;
  onClose: () => void;
  /** The channel being edited; null for a new one. */
  channel: Channel | null;
  /** The vendors to choose from for a new channel. */
  vendors: readonly Vendor[];
}

/** Returns the initial values for a new channel. */
function createChannelValues(vendor: Vendor, locale: string, timeZone: string) {
  return {
    vendor,
    name: '',
    kinds: ['summary'] as string[],
    shop_ids: [] as number[],
    send_at: '08:00',
    time_zone: timeZone,
    locale,
    empty_days: true,
    active: true,
  };
}

const valuesOf = (channel: ReturnType<typeof createChannelValues> | Channel) => ({
  vendor: channel.vendor as string,
  name: 'id' in channel && channel.vendor === 'email' ? '' : channel.name,
  url: '',
  signing_key: '',
  kinds: channel.kinds as string[],
  shop_ids: channel.shop_ids.map(String),
  send_at: channel.send_at,
  time_zone: channel.time_zone,
  empty_days: channel.empty_days,
  locale: channel.locale,
  active: channel.active,
});

const isDingtalk = (values: Record<string, unknown>) => values.vendor === 'dingtalk';
const isChat = (values: Record<string, unknown>) => values.vendor !== 'email';
const hasSummary = ({ kinds }: Record<string, unknown>) => (kinds as string[]).includes('summary');

/** Adds or edits a channel: where its notifications go, and which ones it gets. */
export function ChannelForm({ owner, opened, onClose, channel, vendors }: Props) {
  const t = useTranslations('notifications');
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const locale = useLocale();
  const zone = useReaderZone();
  const { user } = useBackOffice();
  const { data: shops = [] } = useQuery(trpc.shops.names.queryOptions());
  const save = useMutation(trpc.notifications[owner].save.mutationOptions(SHOWS_OWN_ERROR));
  const initialChannel = channel ?? createChannelValues(vendors[0] ?? 'wecom', locale, zone);
  const canSubscribe = (kind: string) => kind !== 'key_expiring' || hasPermission(user.role, 'keys.read');
  return (
    <FormDrawer
      opened={opened}
      onClose={onClose}
      title={channel ? t('edit') : t('add')}
      draftKey={`channel ${owner} ${channel?.id ?? 'new'}`}
      loadSchema={() =>
        import('../../server/notifications/schema').then((module) => module.channelFormSchema)
      }
      initialValues={valuesOf(initialChannel)}
      edit={channel && { shown: channel, valuesOf }}
      fields={[
        {
          name: 'vendor',
          label: t('vendor'),
          kind: 'select',
          required: true,
          options: vendors.map((vendor) => ({ value: vendor, label: t(VENDOR_NAMES[vendor]) })),
          isShown: () => channel === null,
        },
        { name: 'name', label: t('name'), description: t('nameHint'), isShown: isChat },
        {
          name: 'url',
          label: t('url'),
          description: channel ? t('urlKept') : t('urlHint'),
          kind: 'password',
          autoComplete: 'off',
          required: channel === null,
          isShown: isChat,
        },
        {
          name: 'signing_key',
          label: t('signingKey'),
          description: channel?.signed ? t('signingKeyKept') : t('signingKeyHint'),
          kind: 'password',
          autoComplete: 'off',
          isShown: isDingtalk,
        },
        {
          name: 'kinds',
          label: t('what'),
          description: t('whatHint'),
          kind: 'checkMany',
          options: KINDS.filter(canSubscribe).map((kind) => ({
            value: kind,
            label: t(NOTIFICATION_KIND_NAMES[kind]),
          })),
        },
        {
          name: 'shop_ids',
          label: t('shops'),
          description: t('shopsHint'),
          kind: 'selectMany',
          options: shops
            .filter(({ id, archived_at: at }) => at === null || initialChannel.shop_ids.includes(id))
            .map(({ id, name }) => ({ value: String(id), label: name })),
        },
        { name: 'send_at', label: t('sendAt'), kind: 'time', required: true, isShown: hasSummary },
        {
          name: 'time_zone',
          label: t('timeZone'),
          kind: 'select',
          required: true,
          options: zoneOptions(initialChannel.time_zone),
        },
        { name: 'empty_days', label: t('emptyDays'), kind: 'switch', isShown: hasSummary },
        {
          name: 'locale',
          label: t('language'),
          kind: 'select',
          required: true,
          options: LOCALES.map((locale) => ({ value: locale, label: LOCALE_NAMES[locale] })),
        },
        { name: 'active', label: t('active'), kind: 'switch' },
      ]}
      action={channel ? t('save') : t('add')}
      onSubmit={async (input, shown) => {
        await save.mutateAsync({ ...input, id: channel?.id, shown });
        await queryClient.invalidateQueries(trpc.notifications[owner].pathFilter());
      }}
    />
  );
}

/** Returns the vendors to offer for another channel: e-mail only for a user, once, and only if there is a mail server. */
export function listAddableVendors(owner: Owner, channels: readonly Channel[], hasEmail: boolean): Vendor[] {
  const canAddEmail = owner === 'own' && hasEmail && channels.every(({ vendor }) => vendor !== 'email');
  return VENDORS.filter((vendor) => vendor !== 'email' || canAddEmail);
}
