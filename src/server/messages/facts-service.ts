import type { Database } from '../db/client';
import { itemDiscounts, itemTotal, orderPaid, orderValue } from '../orders/detail/order-value-sql';
import { findShopByName } from '../shops/name-service';
import { isBuyer, type OrderFacts, orderFacts, type StoredOrder } from './order-facts';
import type { Warning } from './schema';

const ORDER = {
  id: true,
  receiptId: true,
  status: true,
  trackingStatus: true,
  saleDate: true,
  shippedIndicator: true,
  currency: true,
  orderShipping: true,
  shippingDiscount: true,
  orderSalesTax: true,
  vatPaidByBuyer: true,
  inpersonDiscount: true,
  buyer: true,
  name: true,
  firstLine: true,
  secondLine: true,
  city: true,
  state: true,
  zip: true,
  countryName: true,
  items: {
    orderBy: { id: 'asc' },
    select: {
      id: true,
      title: true,
      variations: true,
      sku: true,
      quantity: true,
      price: true,
      discountAmount: true,
    },
  },
  shipments: {
    orderBy: { id: 'asc' },
    select: {
      trackingNumber: true,
      carrierCode: true,
      tracking: {
        select: {
          carrierCode: true,
          status: true,
          subStatus: true,
          statusAt: true,
          events: {
            where: { kind: 'event', location: { not: null } },
            orderBy: { occurredAt: 'desc' },
            take: 1,
            select: { occurredAt: true, location: true },
          },
        },
      },
    },
  },
} as const;

interface Amounts {
  itemsTotal: string | null;
  discounts: string | null;
  value: string | null;
  paid: string | null;
  /** Keyed by item id. */
  totals: Record<string, string | null> | null;
}

const NO_AMOUNTS: Amounts = { itemsTotal: null, discounts: null, value: null, paid: null, totals: null };

/** $1 shop, $2 order. No row if it has no items. */
const AMOUNTS = `
SELECT trim_scale(sum(${itemTotal('i')}))::text AS "itemsTotal", trim_scale(${itemDiscounts('i')})::text AS discounts,
       trim_scale(${orderValue('o', 'i')})::text AS value, trim_scale(${orderPaid('o', 'i')})::text AS paid,
       json_object_agg(i.id, trim_scale(${itemTotal('i')})::text) AS totals
  FROM orders o JOIN order_items i ON i.shop_id = o.shop_id AND i.order_id = o.id
 WHERE o.shop_id = $1 AND o.id = $2 GROUP BY o.shop_id, o.id`;

const decimal = (amount: { toFixed(): string } | null) => amount?.toFixed() ?? null;

/** Finds the order within this shop only: order numbers come from the marketplace, and two shops may have the same. */
async function findOrder(db: Database, shopName: string, orderNumber: string): Promise<StoredOrder | null> {
  const receiptId = orderNumber.trim().replace(/^#/, '');
  const shop = await findShopByName(db, shopName);
  if (!shop) return null;
  const order = await db.prisma.order.findFirst({
    where: { receiptId, shopId: shop.id },
    select: ORDER,
  });
  if (!order) return null;
  const { id, items, shipments, ...members } = order;
  const { totals, ...amounts } = (await db.pool.query<Amounts>(AMOUNTS, [shop.id, id])).rows[0] ?? NO_AMOUNTS;
  return {
    ...members,
    orderShipping: decimal(order.orderShipping),
    shippingDiscount: decimal(order.shippingDiscount),
    orderSalesTax: decimal(order.orderSalesTax),
    vatPaidByBuyer: decimal(order.vatPaidByBuyer),
    inpersonDiscount: decimal(order.inpersonDiscount),
    amounts,
    items: items.map(({ id: itemId, ...item }) => ({
      ...item,
      price: decimal(item.price),
      discountAmount: decimal(item.discountAmount),
      total: totals?.[String(itemId)] ?? null,
    })),
    parcels: shipments.map(({ trackingNumber, carrierCode, tracking }) => ({
      trackingNumber,
      carrier: carrierCode ?? tracking.carrierCode,
      status: tracking.status,
      subStatus: tracking.subStatus,
      since: tracking.statusAt?.getTime() ?? null,
      events: tracking.events.map((event) => ({
        occurredAt: event.occurredAt.getTime(),
        location: event.location,
      })),
    })),
  };
}

/** What a reply to a request may use. */
interface Known {
  facts: OrderFacts | null;
  /** Problems of the request, reported even though it is answered. */
  warnings: Warning[];
}

/** Returns the facts about the order in a request, without name and address if `buyerName` is not its buyer or recipient. */
export async function factsFor(
  db: Database,
  request: { shopName: string; orderNumber: string | null; buyerName: string | null },
  now: number,
): Promise<Known> {
  const { shopName, orderNumber, buyerName } = request;
  if (orderNumber === null) return { facts: null, warnings: [] };
  const order = await findOrder(db, shopName, orderNumber);
  if (!order) {
    const message = 'The shop has no order with this number, so the reply was written without its facts.';
    return { facts: null, warnings: [{ kind: 'order_number', value: orderNumber, message }] };
  }
  const known = buyerName === null || isBuyer(order, buyerName);
  const message =
    "The order's buyer and recipient have other names, so their name and address were withheld from the reply.";
  return {
    facts: orderFacts(order, known, now),
    warnings: known ? [] : [{ kind: 'buyer_name', value: buyerName, message }],
  };
}
