/** The last query of the orders list, so that back links return to the same list. */
let lastQuery = '';

/** Remembers the current query. Call it only in the browser: on the server, all users would share the variable. */
export function rememberOrderListQuery(): void {
  lastQuery = window.location.search;
}

/** Returns the remembered query with its question mark; empty if there is none. */
export const readRememberedOrderListQuery = () => lastQuery;
