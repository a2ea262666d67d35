/** Digits with the decimals that a spreadsheet adds to a number. In text such as `AB2.0`, the `.0` is part of the order number. */
const DIGITS_WITH_DECIMALS = /^(\d+)\.0+$/;

/**
 * Returns the form in which order numbers are stored and compared: without spaces, without leading `#`, and without decimals that
 * a spreadsheet added. The letter case stays (docs/orders.md). Empty if nothing is left.
 */
export function normaliseOrderNumber(text: string): string {
  const orderNumber = text.replace(/\s+/g, '').replace(/^#+/, '');
  return DIGITS_WITH_DECIMALS.exec(orderNumber)?.[1] ?? orderNumber;
}
