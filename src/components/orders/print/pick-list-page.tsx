'use client';

import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'next/navigation';
import { useFormatter, useTranslations } from 'next-intl';
import { useTRPC } from '../../api/client';
import { mayBreakIdentifier } from '../../ui/value/identifier';
import { readFilterParameters } from '../list/filter-url';
import styles from './print.module.css';
import { PrintFrame } from './print-frame';
import { pickListQuery } from './queries';

/** A printable list of the items to pick for the chosen orders. */
export function PickListPage() {
  const t = useTranslations('shipping');
  const format = useFormatter();
  const trpc = useTRPC();
  const search = useSearchParams();
  const { data, error, refetch } = useQuery(pickListQuery(trpc, search));
  return (
    <PrintFrame
      title={t('pickList')}
      summary={data && t('summary', { orders: data.orders, units: data.units })}
      state={{ hasNoFilter: readFilterParameters(search) === null, error, isEmpty: data?.orders === 0 }}
      onRetry={refetch}
    >
      {data && (
        <section className={styles.paper}>
          <div className={styles.head}>
            <h2>{t('pickList')}</h2>
            <span className="figures">{t('summary', { orders: data.orders, units: data.units })}</span>
          </div>
          <table className={styles.table}>
            <thead>
              <tr>
                <th>{t('sku')}</th>
                <th>{t('item')}</th>
                <th>{t('orders')}</th>
                <th className={styles.count}>{t('quantity')}</th>
              </tr>
            </thead>
            <tbody>
              {data.items.map(({ sku, title, variations, quantity, orders }) => (
                <tr key={JSON.stringify([sku, title, variations])}>
                  <td>{sku === null ? '–' : <Identifier text={sku} />}</td>
                  <td>
                    {title ?? '–'}
                    {variations && <div className={styles.variations}>{variations}</div>}
                  </td>
                  <td className="figures">
                    {format.list(
                      orders.map(({ receipt_id: receiptId, quantity: orderQuantity }) => (
                        <Identifier
                          key={receiptId}
                          text={
                            orderQuantity === 1 ? receiptId : `${receiptId} × ${format.number(orderQuantity)}`
                          }
                        />
                      )),
                      { style: 'narrow' },
                    )}
                  </td>
                  <td className={`figures ${styles.count}`}>{format.number(quantity)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </PrintFrame>
  );
}

/** An order number or SKU, which is not broken unless it is very long. */
function Identifier({ text }: { text: string }) {
  return <span className={mayBreakIdentifier(text) ? undefined : styles.whole}>{text}</span>;
}
