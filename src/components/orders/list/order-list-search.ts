/** The query of the orders list before an order was opened, so that the back link returns there. */
let search = '';

/** Call only in the browser: the variable would be shared by all users of the server. */
export function rememberOrderList(): void {
  search = window.location.search;
}

export const rememberedOrderList = () => search;
