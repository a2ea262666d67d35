/** The filters and page of the orders list before an order was opened, so that the back link returns there. */
let search = '';

/** Called by the list in the browser; the server remembers nothing. */
export function rememberOrderList(): void {
  search = window.location.search;
}

export const rememberedOrderList = () => search;
