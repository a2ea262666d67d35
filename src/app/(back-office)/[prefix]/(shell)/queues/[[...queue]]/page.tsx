import { notFound } from 'next/navigation';
import { queueOfPath, queuePageQueries } from '../../../../../../components/queues/queries';
import { QueuePage } from '../../../../../../components/queues/queue-page';
import { areaTitle } from '../../../../../area-title';
import { defineBackOfficePage } from '../../../../../back-office-page';

const page = defineBackOfficePage<{ queue?: string[] }>({
  namespace: 'queues',
  otherNamespaces: ['order', 'order-status', 'shell', 'tracking'],
  title: ({ queue }) => areaTitle(queueOfPath(queue) ?? 'queues', 'queues'),
  permission: 'orders.read',
  queries: (requestedPage) => {
    const queue = queueOfPath(requestedPage.parameters.queue);
    return queue && queuePageQueries(queue)(requestedPage);
  },
  content: ({ queue: pathSegments }) => {
    const queue = queueOfPath(pathSegments);
    return queue ? <QueuePage key={queue} queue={queue} /> : notFound();
  },
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
