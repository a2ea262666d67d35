/** The filters and page of the orders list before an order was opened, so that the back link returns there. */
let search = '';

/** For the list, in the browser only: the server serves many people. */
export function rememberOrderList(): void {
  search = window.location.search;
}

export const rememberedOrderList = () => search;
