import type { Database } from '../db/client';
import { findShopByName } from '../shops/name-service';
import { isBuyer, type OrderFacts, orderFacts, type StoredOrder } from './order-facts';
import type { Warning } from './schema';

const ORDER = {
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
      title: true,
      variations: true,
      sku: true,
      quantity: true,
      price: true,
      discountAmount: true,
      itemTotal: true,
    },
  },
  shipments: {
    orderBy: { id: 'asc' },
    select: {
      trackingNumber: true,
      carrierCode: true,
      waybill: {
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

/** The order of this shop and no other's: receipt ids are the marketplace's, and two shops' may be the same. */
async function findOrder(db: Database, shopName: string, orderNumber: string): Promise<StoredOrder | null> {
  const receiptId = orderNumber.trim().replace(/^#/, '');
  const shop = await findShopByName(db, shopName);
  if (!shop) return null;
  const order = await db.prisma.order.findFirst({
    where: { receiptId, accountId: shop.id },
    select: ORDER,
  });
  if (!order) return null;
  const { items, shipments, ...members } = order;
  return {
    ...members,
    orderShipping: decimal(order.orderShipping),
    shippingDiscount: decimal(order.shippingDiscount),
    orderSalesTax: decimal(order.orderSalesTax),
    vatPaidByBuyer: decimal(order.vatPaidByBuyer),
    items: items.map((item) => ({
      ...item,
      price: decimal(item.price),
      discountAmount: decimal(item.discountAmount),
      itemTotal: decimal(item.itemTotal),
    })),
    parcels: shipments.map(({ trackingNumber, carrierCode, waybill }) => ({
      trackingNumber,
      carrier: carrierCode ?? waybill.carrierCode,
      status: waybill.status,
      subStatus: waybill.subStatus,
      since: waybill.statusAt?.getTime() ?? null,
      events: waybill.events.map((event) => ({
        occurredAt: event.occurredAt.getTime(),
        location: event.location,
      })),
    })),
  };
}

/** What may be told for a request. */
interface Known {
  facts: OrderFacts | null;
  /** What is wrong with the request, told though it is answered. */
  warnings: Warning[];
}

/** The facts of the order that a request names, as far as whoever writes may know them. */
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
