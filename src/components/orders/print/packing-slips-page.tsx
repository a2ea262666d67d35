'use client';

import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'next/navigation';
import { useFormatter, useTranslations } from 'next-intl';
import { useTRPC } from '../../api/client';
import type { RouterOutputs } from '../../api/router-types';
import { NEW_YORK } from '../../ui/value/time/zones';
import { readFilterParameters } from '../list/filter-url';
import { addressLinesOf } from '../page/address-lines';
import styles from './print.module.css';
import { PrintFrame } from './print-frame';
import { packingSlipsQuery } from './queries';

type Slip = RouterOutputs['shipping']['packingSlips'][number];

/** Printable packing slips of the chosen orders, each starting a new page, without prices. */
export function PackingSlipsPage() {
  const t = useTranslations('shipping');
  const trpc = useTRPC();
  const search = useSearchParams();
  const { data, error, refetch } = useQuery(packingSlipsQuery(trpc, search));
  return (
    <PrintFrame
      title={t('packingSlips')}
      summary={data && t('slips', { count: data.length })}
      state={{ hasNoFilter: readFilterParameters(search) === null, error, isEmpty: data?.length === 0 }}
      onRetry={refetch}
    >
      {data?.map((slip) => (
        <PackingSlip key={slip.id} slip={slip} />
      ))}
    </PrintFrame>
  );
}

function PackingSlip({ slip }: { slip: Slip }) {
  const t = useTranslations('shipping');
  const format = useFormatter();
  const { receipt_id: receiptId, shop, buyer, note, items, sale_date: soldAt } = slip;
  return (
    <section className={styles.paper} aria-label={`${t('order')} ${receiptId}`}>
      <div className={styles.head}>
        <h2>{shop}</h2>
        <span>
          {t('order')} <strong className="figures">{receiptId}</strong>
        </span>
      </div>
      <div className={styles.columns}>
        <dl>
          <dt>{t('shipTo')}</dt>
          <dd>
            <address className={styles.address}>{addressLinesOf(slip).join('\n') || '–'}</address>
          </dd>
        </dl>
        <dl>
          <dt>{t('buyer')}</dt>
          <dd>{buyer ?? '–'}</dd>
          <dt>{t('sold')}</dt>
          <dd>
            {soldAt ? format.dateTime(new Date(soldAt), { dateStyle: 'medium', timeZone: NEW_YORK }) : '–'}
          </dd>
        </dl>
      </div>
      <table className={styles.table}>
        <thead>
          <tr>
            <th>{t('item')}</th>
            <th>{t('sku')}</th>
            <th className={styles.count}>{t('quantity')}</th>
          </tr>
        </thead>
        <tbody>
          {items.map(({ id, title, variations, sku, quantity }) => (
            <tr key={id}>
              <td>
                {title ?? '–'}
                {variations && <div className={styles.variations}>{variations}</div>}
              </td>
              <td>{sku ?? '–'}</td>
              <td className={`figures ${styles.count}`}>{format.number(quantity)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {note && (
        <p className={styles.note}>
          <strong>{t('note')}</strong>
          {`\n${note}`}
        </p>
      )}
    </section>
  );
}
