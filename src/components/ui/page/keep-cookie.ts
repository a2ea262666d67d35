const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** Keeps a user's choice in this browser for a year, where the server can read it. */
export function keepCookie(name: string, value: string): void {
  const secure = window.location.protocol === 'https:' ? '; Secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: Firefox and Safari have no Cookie Store everywhere yet
  document.cookie = `${name}=${value}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax${secure}`;
}
