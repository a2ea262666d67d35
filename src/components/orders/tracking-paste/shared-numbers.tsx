import { Alert, Anchor, Text } from '@mantine/core';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { Fragment } from 'react';
import type { RouterOutputs } from '../../api/router-types';
import { useBackOffice } from '../../shell/back-office';

/** How many numbers are listed; more than these come from a file with a mistake in all its rows. */
const SHOWN_COUNT = 20;

/** Warns about added tracking numbers that several orders have, with links to these orders. */
export function SharedNumbers({
  sharedNumbers,
}: {
  sharedNumbers: RouterOutputs['trackingPaste']['submit']['shared_numbers'];
}) {
  const t = useTranslations('order-tracking');
  const { prefix } = useBackOffice();
  return (
    <Alert
      role="alert"
      color="yellow"
      variant="light"
      c="var(--mantine-color-text)"
      title={t('shared.title', { count: sharedNumbers.length })}
    >
      <Text>{t('shared.hint')}</Text>
      <ul>
        {sharedNumbers.slice(0, SHOWN_COUNT).map(({ tracking_number: number, orders }) => (
          <li key={number}>
            {t.rich('shared.number', {
              number: () => <span className="mono">{number}</span>,
              orders: () =>
                orders.map(({ id, receipt_id: receiptId, shop }, index) => (
                  <Fragment key={id}>
                    {index > 0 && ' · '}
                    <Anchor
                      component={Link}
                      href={`${prefix}/orders/${id}`}
                      prefetch={false}
                      className="tap-line"
                    >
                      {t('shared.order', { receipt: receiptId, shop })}
                    </Anchor>
                  </Fragment>
                )),
            })}
          </li>
        ))}
      </ul>
      {sharedNumbers.length > SHOWN_COUNT && (
        <Text>{t('shared.more', { count: sharedNumbers.length - SHOWN_COUNT })}</Text>
      )}
    </Alert>
  );
}
