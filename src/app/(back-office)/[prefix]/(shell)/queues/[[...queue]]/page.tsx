import { notFound } from 'next/navigation';
import { queueOfPath, queuePageQueries } from '../../../../../../components/queues/queries';
import { QueuePage } from '../../../../../../components/queues/queue-page';
import { defineBackOfficePage } from '../../../../../back-office-page';

const page = defineBackOfficePage<{ queue?: string[] }>({
  namespace: 'queues',
  otherNamespaces: ['order', 'order-status', 'reply', 'shell', 'tracking'],
  permission: 'orders.read',
  queries: queuePageQueries,
  content: ({ queue: pathSegments }) => {
    const queue = queueOfPath(pathSegments);
    return queue ? <QueuePage key={queue} queue={queue} /> : notFound();
  },
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
