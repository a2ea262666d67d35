'use client';

import { Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { RouterOutputs } from '../api/router-types';
import { FieldChanges, splitBeforeAndAfter } from '../orders/page/timeline/field-changes';
import styles from './imports.module.css';

type UpdatedOrder = Extract<RouterOutputs['imports']['preview'], { part: 'updated' }>['entries'][number];

/** What an import changes in an order: its own fields, then its items and shipments. */
export function OrderChanges({ order }: { order: UpdatedOrder }) {
  const t = useTranslations('import');
  return (
    <div className={styles.changes}>
      {order.fields.length > 0 && <FieldChanges {...splitBeforeAndAfter(order.fields)} />}
      {order.items.map(({ created, transaction_id: id, title, sku, fields }) => (
        <div key={`${id} ${title} ${sku}`}>
          <Text size="sm">
            {t(created ? 'changes.newItem' : 'changes.item', { item: title ?? sku ?? id ?? '–' })}
          </Text>
          {!created && <FieldChanges {...splitBeforeAndAfter(fields)} />}
        </div>
      ))}
      {order.shipments.map(({ created, tracking_number: number, fields }) => (
        <div key={number}>
          <Text size="sm">{t(created ? 'changes.newShipment' : 'changes.shipment', { number })}</Text>
          {!created && <FieldChanges {...splitBeforeAndAfter(fields)} />}
        </div>
      ))}
    </div>
  );
}
