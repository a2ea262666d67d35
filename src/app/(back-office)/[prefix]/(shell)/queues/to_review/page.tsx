import { QueueReply } from '../../../../../../components/queues/entry/queue-reply';
import { queuePageQueries } from '../../../../../../components/queues/queries';
import { QueuePage } from '../../../../../../components/queues/queue-page';
import { areaTitle } from '../../../../../area-title';
import { defineBackOfficePage } from '../../../../../back-office-page';

/**
 * This queue has a page of its own because of the component that shows the reply of an entry. The other queues do not load it, and
 * if it were loaded on demand, the server's HTML would not have it.
 */
const page = defineBackOfficePage({
  namespace: 'queues',
  otherNamespaces: ['order', 'order-status', 'reply', 'shell', 'tracking'],
  title: () => areaTitle('to_review', 'queues'),
  permission: 'orders.read',
  queries: queuePageQueries('to_review'),
  content: () => <QueuePage queue="to_review" QueueReply={QueueReply} />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
