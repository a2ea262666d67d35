import { randomBytes } from 'node:crypto';
import type { Exchange } from './exchange';

const COMMON_HEADERS: [string, string][] = [
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'DENY'],
  ['Referrer-Policy', 'same-origin'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Permissions-Policy', 'camera=(), geolocation=(), microphone=(), payment=()'],
];

const API_POLICY = "default-src 'none'; frame-ancestors 'none'";

function pagePolicy(nonce: string, isDevelopment: boolean): string {
  return [
    "default-src 'self'",
    // Next's development server runs its modules with eval.
    `script-src 'self' 'nonce-${nonce}'${isDevelopment ? " 'unsafe-eval'" : ''}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    `connect-src 'self'${isDevelopment ? ' ws:' : ''}`,
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Sets the security headers of every response. `isHttps` says whether APP_URL uses https. */
export function setSecurityHeaders({ res }: Exchange, isHttps: boolean): void {
  for (const [name, value] of COMMON_HEADERS) res.setHeader(name, value);
  if (isHttps) res.setHeader('Strict-Transport-Security', 'max-age=31536000; includeSubDomains');
  res.setHeader('Content-Security-Policy', API_POLICY);
}

/**
 * Sets the looser policy of a page, whose scripts have a nonce. Next reads the nonce from the request's Content-Security-Policy
 * header, and pages read their URL from X-Page-Path, so both headers are overwritten.
 */
export function setPagePolicy({ req, res }: Exchange, isDevelopment: boolean): void {
  const policy = pagePolicy(randomBytes(16).toString('base64'), isDevelopment);
  req.headers['content-security-policy'] = policy;
  // Next passes only the parameters to a page's code, but sign-in has to return to the full URL.
  req.headers['x-page-path'] = req.url;
  res.setHeader('Content-Security-Policy', policy);
}
