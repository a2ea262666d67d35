/**
 * SQL for an order's value, the one number that lists, sums, previews, exports and replies show: its items' totals less their
 * discounts and the order's in-person discount, without shipping and taxes. Null if no item has a total or a price.
 *
 * What an item adds is decided by the view described_items (prisma/beyond-prisma.sql), which `itemAlias` must stand for. Statements
 * in .sql files subtract the in-person discount themselves. An aggregate: use it in a subquery over the order's items.
 */
export const orderValueSql = (orderAlias: string, itemAlias: string) =>
  `(sum(${itemAlias}.net_total) - coalesce(${orderAlias}.inperson_discount, 0))`;

/**
 * SQL for what the buyer paid: the order's value plus shipping (less its discount), sales tax and VAT. An aggregate, like
 * {@link orderValueSql}.
 */
export const paidByBuyerSql = (orderAlias: string, itemAlias: string) =>
  `(${orderValueSql(orderAlias, itemAlias)} + coalesce(${orderAlias}.order_shipping, 0) - coalesce(${orderAlias}.shipping_discount, 0)
    + coalesce(${orderAlias}.order_sales_tax, 0) + coalesce(${orderAlias}.vat_paid_by_buyer, 0))`;
