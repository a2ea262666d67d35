'use client';

import { useTranslations } from 'next-intl';
import { messageKeys } from '../../i18n/message-keys';
import { Instant } from '../shared/instant';
import { type Status, useStatusName } from '../shared/status-badge';
import type { Order } from './order-page';
import styles from './order-page.module.css';

type Entry = Order['history'][number];
type Values = Record<string, unknown>;

/** What people do to orders, by the audit log's word. */
const ACTIONS = messageKeys('order', {
  'order.set_status': 'history.setStatus',
  'order.add_note': 'history.addNote',
  'order.remove_note': 'history.removeNote',
  'order.add_tracking_number': 'history.addTracking',
  'order.set_carrier': 'history.setCarrier',
});

const RECORDS = messageKeys('order', {
  order: 'history.order',
  item: 'history.item',
  shipment: 'history.shipment',
});

/** The fields that change often; the others are called as programs call them. */
const FIELDS = messageKeys('order', {
  status: 'fields.status',
  text: 'fields.note',
  tracking_number: 'tracking.number',
  carrier_code: 'tracking.carrier',
  title: 'items.item',
  quantity: 'items.quantity',
  price: 'items.price',
  discount_amount: 'items.discount',
  item_total: 'items.lineTotal',
  order_shipping: 'items.shipping',
  order_sales_tax: 'items.salesTax',
  buyer: 'facts.buyer',
  name: 'fields.name',
  first_line: 'fields.firstLine',
  second_line: 'fields.secondLine',
  city: 'fields.city',
  state: 'fields.state',
  zip: 'fields.zip',
  country_name: 'fields.country',
  sale_date: 'facts.sold',
  payment_method: 'facts.payment',
});

/** What happened to an order, the latest first: by imports and by people. */
export function OrderHistory({ history }: { history: readonly Entry[] }) {
  const t = useTranslations('order');
  const titleOf = ({ kind, action, record }: Entry): string => {
    if (kind === 'created') return t('history.created');
    if (kind === 'import') return t(RECORDS[(record in RECORDS ? record : 'order') as keyof typeof RECORDS]);
    return action !== null && action in ACTIONS
      ? t(ACTIONS[action as keyof typeof ACTIONS])
      : (action ?? '–');
  };
  return (
    <ol className={styles.entries}>
      {history.map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: one import may change several items at one instant
        <li key={index}>
          <div>{titleOf(entry)}</div>
          <Changes before={entry.before ?? {}} after={entry.after ?? {}} />
          <div className={styles.quiet}>
            <Instant value={entry.at} />
            {entry.actor && ` · ${entry.actor}`}
            {entry.import_id && ` · ${t('history.import', { id: entry.import_id })}`}
          </div>
        </li>
      ))}
    </ol>
  );
}

/** Each field that changed, from what to what. */
function Changes({ before, after }: { before: Values; after: Values }) {
  const t = useTranslations('order');
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => shown(before[name]) !== shown(after[name]),
  );
  if (names.length === 0) return null;
  return (
    <dl className={styles.change}>
      {names.map((name) => (
        <Change
          key={name}
          label={name in FIELDS ? t(FIELDS[name as keyof typeof FIELDS]) : name}
          before={<Value name={name} value={before[name]} />}
          after={<Value name={name} value={after[name]} />}
          added={shown(before[name]) === ''}
        />
      ))}
    </dl>
  );
}

function Change(props: { label: string; before: React.ReactNode; after: React.ReactNode; added: boolean }) {
  return (
    <>
      <dt>{props.label}</dt>
      <dd>
        {!props.added && (
          <>
            <del>{props.before}</del> →{' '}
          </>
        )}
        <ins>{props.after}</ins>
      </dd>
    </>
  );
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

/** A value of a field: statuses by their names, instants in New York's time. */
function Value({ name, value }: { name: string; value: unknown }) {
  const statusName = useStatusName();
  const text = shown(value);
  if (text === '') return '–';
  if (name === 'status') return statusName(text as Status);
  return INSTANT.test(text) ? <Instant value={text} /> : text;
}
