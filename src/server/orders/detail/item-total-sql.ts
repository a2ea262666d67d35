/** What an item comes to: as the export says it, else its price times its quantity (one where none is given). */
export const itemTotal = (item: string) =>
  `coalesce(${item}.item_total, ${item}.price * coalesce(${item}.quantity, 1))`;
