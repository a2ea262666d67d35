'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { messageKeys } from '../../../../i18n/message-keys';
import type { QueueName } from '../../../../server/queues/queue';
import { QUEUE_NAMES } from '../../../queues/queue-names';
import { type Status, useStatusName } from '../../../ui/value/status-badge';
import { Instant } from '../../../ui/value/time/instant';
import { isInstant } from '../../../ui/value/time/instant-field';
import styles from '../order-page.module.css';

type Values = Record<string, unknown>;

/** The names of the fields that change often; other fields appear under their API names. */
const FIELD_NAMES = messageKeys('order', {
  status: 'fields.status',
  tracking_status: 'fields.trackingStatus',
  shipment_status: 'fields.shipmentStatus',
  text: 'fields.note',
  sent_text: 'fields.reply',
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
  queue: 'fields.queue',
  assigned_to: 'fields.assignedTo',
  snoozed_until: 'fields.snoozedUntil',
});

/** Fields that are not shown, because they only refer to other records. */
const HIDDEN_FIELDS = new Set(['event_id', 'import_id', 'reply_id']);

const STATUS_FIELDS = new Set(['status', 'tracking_status', 'shipment_status']);

/** The changed fields, each with its old value, unless that was empty, and its new one. */
export function FieldChanges({ before, after }: { before: Values; after: Values }) {
  const t = useTranslations('order');
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => !HIDDEN_FIELDS.has(name) && textOf(before[name]) !== textOf(after[name]),
  );
  if (names.length === 0) return null;
  return (
    <dl className={styles.change}>
      {names.map((name) => (
        <Change
          key={name}
          label={name in FIELD_NAMES ? t(FIELD_NAMES[name as keyof typeof FIELD_NAMES]) : name}
          before={<Value name={name} value={before[name]} />}
          after={<Value name={name} value={after[name]} />}
          isAdded={textOf(before[name]) === ''}
        />
      ))}
    </dl>
  );
}

/** Returns the old and the new values of fields, by field name. */
export function splitBeforeAndAfter(fields: readonly { name: string; before?: unknown; after?: unknown }[]): {
  before: Values;
  after: Values;
} {
  return {
    before: Object.fromEntries(fields.map(({ name, before }) => [name, before])),
    after: Object.fromEntries(fields.map(({ name, after }) => [name, after])),
  };
}

function Change(props: { label: string; before: ReactNode; after: ReactNode; isAdded: boolean }) {
  return (
    <>
      <dt>{props.label}</dt>
      <dd>
        {!props.isAdded && (
          <>
            <del>{props.before}</del> →{' '}
          </>
        )}
        <ins>{props.after}</ins>
      </dd>
    </>
  );
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** A field's value: statuses and queues by name, instants as dates and times. */
function Value({ name, value }: { name: string; value: unknown }) {
  const t = useTranslations('common');
  const statusName = useStatusName();
  const text = textOf(value);
  if (text === '') return '–';
  if (name === 'queue' && text in QUEUE_NAMES) return t(QUEUE_NAMES[text as QueueName]);
  if (STATUS_FIELDS.has(name)) return statusName(text as Status);
  return isInstant(name, text) ? <Instant value={text} isSale={name === 'sale_date'} /> : text;
}
