'use client';

import { Anchor, Text } from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { messageKeys } from '../../../i18n/message-keys';
import { ORDER_TABS, type OrderTab, TAB_FILTERS } from '../../../server/orders/filter/order-tabs';
import { LATE_DAYS } from '../../../server/queues/queue';
import { useTRPC } from '../../api/client';
import { useBackOffice } from '../../shell/back-office';
import { ListTabs } from '../../ui/list/views/list-tabs';
import { SavedViews } from '../../ui/list/views/saved-views';
import { viewQuery } from '../../ui/list/views/view-query';
import { useUrl } from '../../ui/url/use-url';
import { Sentences } from '../../ui/value/sentences';
import { orderTabsQuery, viewCountQuery, viewsQuery } from '../queries';

const TAB_NAMES = messageKeys('orders', {
  to_ship: 'tabs.toShip',
  late: 'tabs.late',
  in_transit: 'tabs.inTransit',
  exception: 'tabs.exception',
  delivered: 'tabs.delivered',
  unpaid: 'tabs.unpaid',
  all: 'tabs.all',
});

const SCOPE_TEXTS = messageKeys('orders', {
  to_ship: 'scope.toShip',
  late: 'scope.late',
  in_transit: 'scope.inTransit',
  exception: 'scope.exception',
  delivered: 'scope.delivered',
  unpaid: 'scope.unpaid',
  all: 'scope.all',
});

/** Returns a function that names a tab. */
export function useTabName(): (tab: OrderTab) => string {
  const t = useTranslations('orders');
  return (tab) => t(TAB_NAMES[tab]);
}

/** The tabs and the reader's pinned views, each with its count, the saved views, and a line that explains the chosen tab. */
export function OrderTabs({ tab }: { tab: OrderTab }) {
  const t = useTranslations('orders');
  const trpc = useTRPC();
  const tabName = useTabName();
  const { parameters } = useUrl();
  const { data: tabCounts } = useQuery(orderTabsQuery(trpc));
  const { data: views = [] } = useQuery(viewsQuery(trpc));
  const pinnedViews = views.filter((view) => view.pinned);
  const viewCountQueries = useQueries({
    queries: pinnedViews.map(({ query }) => viewCountQuery(trpc, query)),
  });
  const query = viewQuery(parameters, { tab });
  const view = pinnedViews.find((pinnedView) => pinnedView.query === query);
  return (
    <>
      <ListTabs
        label={t('title')}
        currentKey={view ? `view-${view.id}` : tab}
        tabs={[
          ...ORDER_TABS.map((name) => ({
            key: name,
            label: tabName(name),
            search: `tab=${name}`,
            count: tabCounts?.find((row) => row.tab === name),
          })),
          ...pinnedViews.map((pinnedView, index) => ({
            key: `view-${pinnedView.id}`,
            label: pinnedView.name,
            search: pinnedView.query,
            count: viewCountQueries[index]?.data,
          })),
        ]}
      >
        <SavedViews list="orders" query={query} />
      </ListTabs>
      <TabScope tab={tab} />
    </>
  );
}

/** Explains what a tab counts. The tab of a work queue has a link to the queue, which can also list handled and snoozed orders. */
function TabScope({ tab }: { tab: OrderTab }) {
  const t = useTranslations('orders');
  const { prefix } = useBackOffice();
  const { queue } = TAB_FILTERS[tab];
  return (
    <Text size="xs" c="dimmed" mb="sm">
      <Sentences>
        {t(SCOPE_TEXTS[tab], { days: LATE_DAYS })}
        {queue &&
          t.rich('scope.queue', {
            link: (text) => (
              <Anchor
                component={Link}
                underline="always"
                href={`${prefix}/queues/${queue}`}
                prefetch={false}
                inherit
              >
                {text}
              </Anchor>
            ),
          })}
      </Sentences>
    </Text>
  );
}
