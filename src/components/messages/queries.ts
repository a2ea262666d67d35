import { REPLY_KINDS, REPLY_OUTCOMES } from '../../server/messages/replies/filters';
import { LIST_QUERY, type PageQueries, SHOWS_OWN_ERROR, type Trpc } from '../api/page-queries';
import { isDay } from '../ui/list/filter/day-range';
import { oneOf, readUrl, type UrlState } from '../ui/list/list-url';

export const REPLY_FILTERS = ['order', 'shop', 'outcome', 'warned', 'kind', 'sent', 'from', 'to'] as const;

/** Reads a yes/no filter from the URL; undefined for any other text. */
const readYesNo = (text: string | undefined) => (text === 'yes' ? true : text === 'no' ? false : undefined);

export const replyListQuery = (
  trpc: Trpc,
  { filters, cursor, rowsPerPage }: UrlState<(typeof REPLY_FILTERS)[number]>,
) =>
  trpc.replies.list.queryOptions(
    {
      order_number: filters.order,
      shop_name: filters.shop,
      outcome: oneOf(REPLY_OUTCOMES, filters.outcome),
      warned: readYesNo(filters.warned),
      kind: oneOf(REPLY_KINDS, filters.kind),
      sent: readYesNo(filters.sent),
      from: isDay(filters.from) ? filters.from : undefined,
      to: isDay(filters.to) ? filters.to : undefined,
      cursor,
      limit: rowsPerPage,
    },
    LIST_QUERY,
  );

export const replyQuery = (trpc: Trpc, id: string) => trpc.replies.one.queryOptions({ id }, SHOWS_OWN_ERROR);

export const replyDraftsQuery = (trpc: Trpc, orderId: string) =>
  trpc.replyDrafts.ofOrder.queryOptions({ order_id: orderId }, SHOWS_OWN_ERROR);

export const buyerQuery = (trpc: Trpc, orderId: string) =>
  trpc.replyDrafts.buyer.queryOptions({ order_id: orderId }, SHOWS_OWN_ERROR);

export const promptQuery = (trpc: Trpc, shop: string) =>
  trpc.prompts.versions.queryOptions({ shop_name: shop }, SHOWS_OWN_ERROR);

export const repliesPageQueries: PageQueries = ({ trpc, search, rowsPerPage, load }) =>
  Promise.all([
    load(replyListQuery(trpc, readUrl(REPLY_FILTERS, search, rowsPerPage))),
    load(trpc.prompts.list.queryOptions()),
  ]);

export const promptPageQueries: PageQueries = ({ trpc, search, load }) => {
  const shop = search.get('shop');
  const replyId = search.get('reply');
  return Promise.all([
    shop && load(promptQuery(trpc, shop)),
    shop && load(trpc.shops.names.queryOptions()),
    replyId && load(replyQuery(trpc, replyId)),
  ]);
};

export const replyPageQueries: PageQueries<{ id: string }> = ({ trpc, parameters, load }) =>
  load(replyQuery(trpc, parameters.id));
