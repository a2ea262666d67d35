import { replyListInput } from '../../server/messages/replies/schema';
import { LIST_QUERY, OWN_ERROR, type PageQueries, type Trpc } from '../api/page-queries';
import { type AddressState, readAddress } from '../ui/list/list-address';

export const REPLY_FILTERS = ['order', 'shop', 'outcome', 'warned', 'trial', 'from', 'to'] as const;

/** Reads a yes/no filter from the address; undefined for anything else. */
const choiceOf = (text: string | undefined) => (text === 'yes' ? true : text === 'no' ? false : undefined);

export const replyListQuery = (
  trpc: Trpc,
  { filters, cursor }: AddressState<(typeof REPLY_FILTERS)[number]>,
) => {
  const { shape } = replyListInput;
  return trpc.replies.list.queryOptions(
    {
      order_number: filters.order,
      shop_name: filters.shop,
      outcome: shape.outcome.safeParse(filters.outcome).data,
      warned: choiceOf(filters.warned),
      trial: choiceOf(filters.trial),
      from: shape.from.safeParse(filters.from).data,
      to: shape.to.safeParse(filters.to).data,
      cursor,
    },
    LIST_QUERY,
  );
};

export const replyQuery = (trpc: Trpc, id: string) => trpc.replies.one.queryOptions({ id }, OWN_ERROR);

export const promptQuery = (trpc: Trpc, shop: string) =>
  trpc.prompts.versions.queryOptions({ shop_name: shop }, OWN_ERROR);

export const repliesPageQueries: PageQueries = ({ trpc, search, load }) =>
  Promise.all([
    load(replyListQuery(trpc, readAddress(REPLY_FILTERS, search))),
    load(trpc.prompts.list.queryOptions()),
  ]);

export const promptPageQueries: PageQueries = ({ trpc, search, load }) => {
  const shop = search.get('shop');
  const reply = search.get('reply');
  return Promise.all([shop && load(promptQuery(trpc, shop)), reply && load(replyQuery(trpc, reply))]);
};

export const replyPageQueries: PageQueries<{ id: string }> = ({ trpc, parameters, load }) =>
  load(replyQuery(trpc, parameters.id));
