/** Native tRPC calls. */
export const TRPC_PREFIX = '/api/trpc/';

/** Sign-in and sign-out, handled by next-auth. */
export const SIGN_IN_PREFIX = '/api/auth/';

/** Files that pages download and upload, authenticated by the session. */
export const DOWNLOADS_PREFIX = '/api/downloads/';
export const UPLOADS_PREFIX = '/api/uploads/';

/** The unsubscribe links of e-mails. */
export { UNSUBSCRIBE_PATH } from '../notifications/sending/sender';

export const MCP_PATH = '/mcp';

/** The authorization server: paths under /oauth, and its discovery documents. */
export const OAUTH_PATH =
  /^\/(?:oauth(?:\/.*)?|\.well-known\/(?:openid-configuration|oauth-authorization-server))$/;

/** Returns whether a path belongs to the API: REST, native tRPC, sign-in, downloads and uploads. */
export const isApi = (path: string): boolean => path === '/api' || path.startsWith('/api/');
