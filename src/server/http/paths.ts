import { FIXED_PATHS } from '../core/http/fixed-paths';

/** Native tRPC calls. */
export const TRPC_PREFIX = `${FIXED_PATHS.api}/trpc/`;

/** Sign-in and sign-out, handled by next-auth. */
export const SIGN_IN_PREFIX = `${FIXED_PATHS.api}/auth/`;

/** Files that pages download and upload, authenticated by the session. */
export const DOWNLOADS_PREFIX = `${FIXED_PATHS.api}/downloads/`;
export const UPLOADS_PREFIX = `${FIXED_PATHS.api}/uploads/`;

/** The authorization server: paths under /oauth, and its discovery documents. */
export const OAUTH_PATH = new RegExp(
  `^(?:${FIXED_PATHS.oauth}(?:/.*)?|/\\.well-known/(?:openid-configuration|oauth-authorization-server))$`,
);

/** Returns whether a path belongs to the API: REST, native tRPC, sign-in, downloads and uploads. */
export const isApi = (path: string): boolean =>
  path === FIXED_PATHS.api || path.startsWith(`${FIXED_PATHS.api}/`);
