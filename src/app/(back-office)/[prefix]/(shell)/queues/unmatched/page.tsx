import { queuePageQueries } from '../../../../../../components/queues/queries';
import { QueuePage } from '../../../../../../components/queues/queue-page';
import { UnmatchedEntry } from '../../../../../../components/queues/unmatched/unmatched-entry';
import { areaTitle } from '../../../../../area-title';
import { defineBackOfficePage } from '../../../../../back-office-page';

/**
 * This queue has a page of its own because of the component that shows an entry. The other queues do not load it, and
 * if it were loaded on demand, the server's HTML would not have it.
 */
const page = defineBackOfficePage({
  namespace: 'queues',
  otherNamespaces: ['order', 'order-status', 'shell', 'tracking'],
  title: () => areaTitle('unmatched', 'queues'),
  permission: 'orders.read',
  queries: queuePageQueries('unmatched'),
  content: () => <QueuePage queue="unmatched" UnmatchedEntry={UnmatchedEntry} />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
