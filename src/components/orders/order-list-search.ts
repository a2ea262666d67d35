/** Where in the list somebody was before they opened an order: its filters and page, so that the way back leads there. */
let search = '';

/** Called by the list in the browser; on the server nothing is remembered. */
export function rememberOrderList(): void {
  search = window.location.search;
}

export const rememberedOrderList = () => search;
