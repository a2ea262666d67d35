/** SQL for an item's total before its discount: the total in the marketplace's export, or price times quantity (1 if missing). */
export const itemTotal = (item: string) =>
  `coalesce(${item}.item_total, ${item}.price * coalesce(${item}.quantity, 1))`;

/**
 * SQL for an order's value, the one number that lists, sums, previews, exports and replies use: its items' totals less their
 * discounts and the order's in-person discount, without shipping and taxes. Null if no item has a total or a price.
 *
 * An aggregate: use it in a subquery over the order's items.
 */
export const orderValue = (order: string, item: string) =>
  `(sum(${itemTotal(item)} - coalesce(${item}.discount_amount, 0)) - coalesce(${order}.inperson_discount, 0))`;

/**
 * SQL for what the buyer paid: the order's value plus shipping (less its discount), sales tax and VAT. An aggregate, like
 * {@link orderValue}.
 */
export const paidByBuyer = (order: string, item: string) =>
  `(${orderValue(order, item)} + coalesce(${order}.order_shipping, 0) - coalesce(${order}.shipping_discount, 0)
    + coalesce(${order}.order_sales_tax, 0) + coalesce(${order}.vat_paid_by_buyer, 0))`;
