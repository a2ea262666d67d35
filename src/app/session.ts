import { cookies, headers } from 'next/headers';
import { forbidden, redirect } from 'next/navigation';
import type { BackOffice } from '../components/shell/back-office';
import { type ListPreferences, readListPreferences } from '../components/ui/list/table/list-preferences';
import type { PageBridge } from '../server/http/pages/page-bridge';
import type { UserPrincipal } from '../server/identity/principals';
import { hasPermission, type Permission } from '../server/identity/roles';

/** Returns the functions and settings that the server provides to the pages it renders. */
export function getPageBridge(): PageBridge {
  const globals = globalThis as unknown as Record<symbol, PageBridge | undefined>;
  const bridge = globals[Symbol.for('brickdesk.pages')];
  if (!bridge) throw new Error('Only the service can render pages: start it with npm start.');
  return bridge;
}

/** Returns the signed-in user, or null. */
export async function findUser(): Promise<UserPrincipal | null> {
  // Reading the cookies tells Next that the page differs per user.
  await cookies();
  return getPageBridge().findUser();
}

/** Returns the reader's list preferences, from cookies. */
export async function loadListPreferences(): Promise<ListPreferences> {
  const cookieStore = await cookies();
  return readListPreferences((name) => cookieStore.get(name)?.value);
}

/** Returns the nonce that inline scripts need to run; undefined if the response has no content security policy with one. */
export async function readScriptNonce(): Promise<string | undefined> {
  return /'nonce-([^']+)'/.exec((await headers()).get('content-security-policy') ?? '')?.[1];
}

/** Returns the path and query of the requested page, without the parameter that Next adds to its own requests. */
async function readRequestedPath(): Promise<string> {
  const { adminPrefix } = getPageBridge();
  const path = (await headers()).get('x-page-path') ?? adminPrefix;
  const url = new URL(path, 'http://page');
  url.searchParams.delete('_rsc');
  return url.pathname + url.search;
}

interface PageAccess {
  /** The permission that the user must have. */
  permission?: Permission;
  /** Whether a user who must still set up a second factor may open the page. */
  isAllowedBeforeTwoFactor?: boolean;
}

/**
 * Returns the signed-in user. Every page for signed-in users calls this, because Next does not render a layout again when the user
 * moves from page to page. If nobody is signed in, redirects to the sign-in page, which leads back to the requested page. Without
 * `isAllowedBeforeTwoFactor`, redirects a user who must still set up a second factor to the account page. Refuses users without the
 * permission.
 */
export async function requireUser({
  permission,
  isAllowedBeforeTwoFactor,
}: PageAccess = {}): Promise<UserPrincipal> {
  const { adminPrefix } = getPageBridge();
  const user = await findUser();
  if (!user) redirect(`${adminPrefix}/sign-in?callbackUrl=${encodeURIComponent(await readRequestedPath())}`);
  if (user.mustSetUpTwoFactor && !isAllowedBeforeTwoFactor) redirect(`${adminPrefix}/account`);
  if (permission && !hasPermission(user.role, permission)) forbidden();
  return user;
}

/**
 * Returns the context of the back office and the user's time zone, for a layout. Redirects if nobody is signed in. Each page still
 * checks the user itself.
 */
export async function loadBackOffice(): Promise<{ backOffice: BackOffice; timeZone: string }> {
  const { adminPrefix, version } = getPageBridge();
  const { userId, name, email, role, timeZone, mustSetUpTwoFactor } = await requireUser({
    isAllowedBeforeTwoFactor: true,
  });
  const user = { id: userId, name, email, role, mustSetUpTwoFactor };
  return { backOffice: { prefix: adminPrefix, version, renderedAt: Date.now(), user }, timeZone };
}
