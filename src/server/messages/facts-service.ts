import type { Database } from '../db/client';
import { listItems, readOrder } from '../orders/detail/detail.queries';
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
  const stored = { shopId: shop.id, orderId: String(id) };
  const [amounts] = await readOrder.run(db.pool, stored);
  const totals = new Map((await listItems.run(db.pool, stored)).map((item) => [item.id, item.item_total]));
  return {
    ...members,
    orderShipping: decimal(order.orderShipping),
    shippingDiscount: decimal(order.shippingDiscount),
    orderSalesTax: decimal(order.orderSalesTax),
    vatPaidByBuyer: decimal(order.vatPaidByBuyer),
    inpersonDiscount: decimal(order.inpersonDiscount),
    amounts: {
      itemsTotal: amounts?.items_total ?? null,
      discounts: amounts?.discounts ?? null,
      value: amounts?.value ?? null,
      paid: amounts?.paid ?? null,
    },
    items: items.map(({ id: itemId, ...item }) => ({
      ...item,
      price: decimal(item.price),
      discountAmount: decimal(item.discountAmount),
      total: totals.get(String(itemId)) ?? null,
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
