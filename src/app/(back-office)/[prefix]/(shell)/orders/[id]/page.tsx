import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { OrderPage } from '../../../../../../components/orders/page/order-page';
import { orderPageQueries } from '../../../../../../components/orders/queries';
import { isBigintIdText } from '../../../../../../server/core/id-text';
import { defineBackOfficePage } from '../../../../../back-office-page';
import { pageClient } from '../../../../../page-client';

const page = defineBackOfficePage<{ id: string }>({
  namespace: 'order',
  title: async ({ id }) => {
    // If the query fails, the page shows why.
    const order = await pageClient.orders.one.query({ id }).catch(() => null);
    return order?.receipt_id ?? (await getTranslations('order'))('title');
  },
  otherNamespaces: ['order-status', 'reply'],
  permission: 'orders.read',
  queries: orderPageQueries,
  content: ({ id }) => (isBigintIdText(id) ? <OrderPage id={id} /> : notFound()),
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
