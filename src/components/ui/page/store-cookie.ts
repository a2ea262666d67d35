const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** Stores a user's choice in a cookie for a year, so that the server can read it. */
export function storeCookie(name: string, value: string): void {
  const secureAttribute = window.location.protocol === 'https:' ? '; Secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: not all supported browsers have the Cookie Store API
  document.cookie = `${name}=${value}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax${secureAttribute}`;
}
