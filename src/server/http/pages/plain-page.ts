import { escapeUTF8 } from 'entities/escape';
import { chooseLocale, LANGUAGE_TAGS, type Locale } from '../../core/locales';
import type { Exchange } from '../exchange';
import { sendResponse } from '../response';

/** Returns the language chosen for the user, otherwise the one that the browser prefers. */
export function localeOf({ req, user }: Pick<Exchange, 'req' | 'user'>): Locale {
  return chooseLocale(user?.locale, req.headers['accept-language']);
}

export const escapeHtml = escapeUTF8;

const STYLE = `
:root { color-scheme: light dark; --page: #f8f9fa; --card: #fff; --line: #dee2e6; --text: #212529; --dim: #5c636a; --accent: #1971c2; }
@media (prefers-color-scheme: dark) {
  :root { --page: #1a1b1e; --card: #242528; --line: #3b3d42; --text: #e3e4e6; --dim: #a6a9ae; --accent: #1971c2; }
}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 16px; background: var(--page); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
main { width: 100%; max-width: 420px; background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 24px; overflow-wrap: anywhere; }
h1 { margin: 0 0 12px; font-size: 18px; line-height: 1.35; font-weight: 600; }
p { margin: 0 0 12px; }
ul { margin: 0 0 12px; padding: 0 0 0 20px; }
.dim { color: var(--dim); font-size: 13px; }
form { display: flex; flex-wrap: wrap; gap: 8px; margin-top: 16px; }
button { flex: 1 1 120px; min-height: 40px; padding: 0 16px; border: 1px solid var(--line); border-radius: 6px; background: transparent; color: inherit; font: inherit; cursor: pointer; }
button.primary { background: var(--accent); border-color: var(--accent); color: #fff; font-weight: 600; }
button:focus-visible, a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
a { color: inherit; }
`;

/** Returns a complete page: one card, no scripts. `body` is HTML. */
export function pageHtml(locale: Locale, title: string, body: string): string {
  return `<!doctype html>
<html lang="${LANGUAGE_TAGS[locale]}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${escapeHtml(title)} - Brickdesk</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${body}
</main>
</body>
</html>
`;
}

/**
 * Returns the Content-Security-Policy of a plain page. Browsers apply `form-action` to a form's redirects too, so the policy of the
 * consent page must allow the client's redirect URI.
 *
 * @param scriptSource the source expression of the page's only script
 */
export function plainPagePolicy(redirectUri?: string, scriptSource?: string): string {
  const actions = ["'self'"];
  if (redirectUri !== undefined) {
    const { origin, protocol, hostname } = new URL(redirectUri);
    // A policy cannot name an IPv6 address.
    const isNameable = /^https?:$/.test(protocol) && !hostname.startsWith('[');
    actions.push(isNameable ? origin : protocol);
  }
  const scripts = scriptSource === undefined ? '' : ` script-src ${scriptSource};`;
  return `default-src 'none';${scripts} style-src 'unsafe-inline'; img-src data:; form-action ${actions.join(' ')}; base-uri 'none'; frame-ancestors 'none'`;
}

export function sendPage(exchange: Exchange, status: number, html: string, redirectUri?: string): void {
  sendResponse(exchange, status, html, {
    contentType: 'text/html; charset=utf-8',
    headers: { 'Content-Security-Policy': plainPagePolicy(redirectUri) },
  });
}
