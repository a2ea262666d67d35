/**
 * SQL for an order's value, the one number that lists, sums, previews, exports and replies show: its items' totals less their
 * discounts and the order's in-person discount, without shipping and taxes. Null if no item has a total or a price.
 *
 * What an item adds is decided by the view described_items (prisma/beyond-prisma.sql), which `item` must be an alias of. Statements in
 * .sql files subtract the in-person discount themselves. An aggregate: use it in a subquery over the order's items.
 */
export const orderValue = (order: string, item: string) =>
  `(sum(${item}.net_total) - coalesce(${order}.inperson_discount, 0))`;

/**
 * SQL for what the buyer paid: the order's value plus shipping (less its discount), sales tax and VAT. An aggregate, like
 * {@link orderValue}.
 */
export const paidByBuyer = (order: string, item: string) =>
  `(${orderValue(order, item)} + coalesce(${order}.order_shipping, 0) - coalesce(${order}.shipping_discount, 0)
    + coalesce(${order}.order_sales_tax, 0) + coalesce(${order}.vat_paid_by_buyer, 0))`;
