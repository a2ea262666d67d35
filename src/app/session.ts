import { cookies, headers } from 'next/headers';
import { forbidden, redirect } from 'next/navigation';
import { type ListPreferences, readListPreferences } from '../components/ui/list/table/list-preferences';
import type { PageBridge } from '../server/http/pages/page-bridge';
import type { UserPrincipal } from '../server/identity/principals';
import { mayDo, type Permission } from '../server/identity/roles';

/** What the server offers to the pages that it renders. */
export function pageBridge(): PageBridge {
  const shared = globalThis as unknown as Record<symbol, PageBridge | undefined>;
  const bridge = shared[Symbol.for('brickdesk.pages')];
  if (!bridge) throw new Error('Pages are rendered by the service alone: start it with npm start.');
  return bridge;
}

/** The signed-in user, or null. */
export async function findUser(): Promise<UserPrincipal | null> {
  // Reading the cookies tells Next that the page differs per user.
  await cookies();
  return pageBridge().user();
}

/** How the reader wants their lists. */
export async function listPreferences(): Promise<ListPreferences> {
  const sent = await cookies();
  return readListPreferences((name) => sent.get(name)?.value);
}

/** The nonce that the browser requires to run inline scripts. */
export async function scriptNonce(): Promise<string | undefined> {
  return /'nonce-([^']+)'/.exec((await headers()).get('content-security-policy') ?? '')?.[1];
}

/** The address of the requested page, without what Next adds for its own requests. */
async function requestedPath(): Promise<string> {
  const { adminPrefix } = pageBridge();
  const sent = (await headers()).get('x-page-path') ?? adminPrefix;
  const url = new URL(sent, 'http://page');
  url.searchParams.delete('_rsc');
  return url.pathname + url.search;
}

interface Demand {
  /** The permission that the user's role needs. */
  may?: Permission;
  /** Whether the page is open to a user who must set up a second factor first. */
  beforeTwoFactor?: boolean;
}

/**
 * The user whom the page is for. Every page checks this, because Next does not render a layout again when the user moves from
 * page to page. Redirects to the sign-in page, which returns here, if nobody is signed in.
 */
export async function requireUser({ may, beforeTwoFactor }: Demand = {}): Promise<UserPrincipal> {
  const { adminPrefix } = pageBridge();
  const user = await findUser();
  if (!user) redirect(`${adminPrefix}/sign-in?callbackUrl=${encodeURIComponent(await requestedPath())}`);
  if (user.mustSetUpTwoFactor && !beforeTwoFactor) redirect(`${adminPrefix}/account`);
  if (may && !mayDo(user.role, may)) forbidden();
  return user;
}
