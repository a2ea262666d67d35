import { cookies, headers } from 'next/headers';
import { forbidden, redirect } from 'next/navigation';
import type { PageBridge } from '../server/http/page-bridge';
import type { PersonPrincipal } from '../server/identity/principals';
import { mayDo, type Permission } from '../server/identity/roles';

/** What the server has handed over to the pages that it renders. */
export function pageBridge(): PageBridge {
  const shared = globalThis as unknown as Record<symbol, PageBridge | undefined>;
  const bridge = shared[Symbol.for('brickdesk.pages')];
  if (!bridge) throw new Error('Pages are rendered by the service alone: start it with npm start.');
  return bridge;
}

/** Who is signed in, or null. */
export async function findPerson(): Promise<PersonPrincipal | null> {
  // Asking for the cookies is what tells Next that the page is different for everybody.
  await cookies();
  return pageBridge().person();
}

/** The nonce without which the browser runs no inline script. */
export async function scriptNonce(): Promise<string | undefined> {
  return /'nonce-([^']+)'/.exec((await headers()).get('content-security-policy') ?? '')?.[1];
}

/** The address of the page that is asked for, without what Next adds for its own requests. */
async function requestedPath(): Promise<string> {
  const { adminPrefix } = pageBridge();
  const sent = (await headers()).get('x-page-path') ?? adminPrefix;
  const url = new URL(sent, 'http://page');
  url.searchParams.delete('_rsc');
  return url.pathname + url.search;
}

interface Demand {
  /** What the person's role must allow. */
  may?: Permission;
  /** The page is open also to somebody who has to set up a second factor before anything else. */
  beforeTwoFactor?: boolean;
}

/**
 * The person whom the page is for. Every page asks by itself: a layout is not rendered again as one moves from page to page.
 * Whoever is not signed in is sent to sign in, and comes back from there.
 */
export async function requirePerson({ may, beforeTwoFactor }: Demand = {}): Promise<PersonPrincipal> {
  const { adminPrefix } = pageBridge();
  const person = await findPerson();
  if (!person) redirect(`${adminPrefix}/sign-in?callbackUrl=${encodeURIComponent(await requestedPath())}`);
  if (person.mustSetUpTwoFactor && !beforeTwoFactor) redirect(`${adminPrefix}/account`);
  if (may && !mayDo(person.role, may)) forbidden();
  return person;
}
