import { normaliseOrderNumber } from '../core/text/order-number';
import type { Database } from '../db/client';
import { listItems, readOrder } from '../orders/detail/detail.queries';
import { shipmentCarrierCode } from '../orders/tracking/shipment-carrier';
import { findShopByName } from '../shops/name-service';
import { buildOrderFacts, isBuyer, type OrderFacts, type StoredOrder } from './order-facts';
import type { Warning } from './warning';

/** The fields of an order that its facts are read from. */
const ORDER_SELECT = {
  id: true,
  receiptId: true,
  status: true,
  trackingStatus: true,
  saleDate: true,
  shippedIndicator: true,
  carrierCode: true,
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

const decimalText = (amount: { toFixed(): string } | null) => amount?.toFixed() ?? null;

interface OrderKey {
  shopId: number;
  orderId: string;
}

type OrderWithKey = StoredOrder & { key: OrderKey };

/** Finds an order of this shop only, because order numbers come from the marketplace and two shops may have the same one. */
async function findOrder(db: Database, shopName: string, orderNumber: string): Promise<OrderWithKey | null> {
  const receiptId = normaliseOrderNumber(orderNumber);
  const shop = await findShopByName(db, shopName);
  if (!shop) return null;
  const order = await db.prisma.order.findFirst({
    where: { receiptId, shopId: shop.id },
    select: ORDER_SELECT,
  });
  if (!order) return null;
  const { id, shipments, carrierCode: _, ...fields } = order;
  const key = { shopId: shop.id, orderId: String(id) };
  const [amounts] = await readOrder.run(db.pool, key);
  const items = await listItems.run(db.pool, key);
  return {
    ...fields,
    key,
    orderShipping: decimalText(order.orderShipping),
    shippingDiscount: decimalText(order.shippingDiscount),
    orderSalesTax: decimalText(order.orderSalesTax),
    vatPaidByBuyer: decimalText(order.vatPaidByBuyer),
    inpersonDiscount: decimalText(order.inpersonDiscount),
    amounts: {
      itemsTotal: amounts?.items_total ?? null,
      discounts: amounts?.discounts ?? null,
      value: amounts?.value ?? null,
      paid: amounts?.paid ?? null,
    },
    items: items
      .filter((item) => !item.is_blank)
      .map(({ title, choices, sku, quantity, price, discount_amount, item_total }) => ({
        title,
        variations: choices,
        sku,
        quantity,
        price,
        discountAmount: discount_amount,
        total: item_total,
      })),
    shipments: shipments.map(({ trackingNumber, carrierCode, tracking }) => ({
      trackingNumber,
      carrier: shipmentCarrierCode({
        shipment: carrierCode,
        reported: tracking.carrierCode,
        order: order.carrierCode,
      }),
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

/** The facts that a reply may use. */
interface ReplyFacts {
  /** The stored order. Both ids are null if the request names no order, or one that the shop does not have. */
  order: OrderKey | { shopId: null; orderId: null };
  facts: OrderFacts | null;
  /** Problems with the request that do not prevent a reply. */
  warnings: Warning[];
}

/**
 * Returns the facts about the order that a request names, without the recipient's name and address if `buyerName` is neither the
 * order's buyer nor its recipient.
 */
export async function readReplyFacts(
  db: Database,
  request: { shopName: string; orderNumber: string | null; buyerName: string | null },
  now: number,
): Promise<ReplyFacts> {
  const { shopName, orderNumber, buyerName } = request;
  const noOrder = { order: { shopId: null, orderId: null }, facts: null };
  if (orderNumber === null) return { ...noOrder, warnings: [] };
  const order = await findOrder(db, shopName, orderNumber);
  if (!order) {
    return { ...noOrder, warnings: [{ kind: 'order_number', value: orderNumber, reason: 'no_order' }] };
  }
  const includesRecipient = buyerName === null || isBuyer(order, buyerName);
  return {
    order: order.key,
    facts: buildOrderFacts(order, includesRecipient, now),
    warnings: includesRecipient ? [] : [{ kind: 'buyer_name', value: buyerName, reason: 'other_buyer' }],
  };
}
