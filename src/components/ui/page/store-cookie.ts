const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** Stores a user's choice in a cookie for a year. Once this returns, every request has the cookie, so the server can read it. */
export function storeCookie(name: string, value: string): void {
  const secureAttribute = window.location.protocol === 'https:' ? '; Secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: not all supported browsers have the Cookie Store API
  document.cookie = `${name}=${value}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax${secureAttribute}`;
  // Chromium sets a cookie in another process and does not wait for it, but it does wait before it reads one. Without this, a request
  // made at once could go out without the cookie.
  void document.cookie;
}
