import type { PersonPrincipal } from '../identity/principals';
import type { Services } from '../trpc/context';
import { findPersonByCookie } from './admission';

/**
 * What pages learn from the server that renders them, in its own process. Next bundles its pages apart, with copies of their
 * own of every module, so this is handed over by the one thing that both share.
 */
export interface PageBridge {
  /** Where the back office is, `/admin`. */
  adminPrefix: string;
  appUrl: string;
  version: string;
  /** Whether staff may also sign in through an identity provider. */
  identityProvider: boolean;
  /** Who is signed in, by the request's Cookie header; asked of the database every time. */
  person(cookie: string | null): Promise<PersonPrincipal | null>;
}

const PAGE_BRIDGE = Symbol.for('brickdesk.pages');

/** Makes the bridge reachable for pages. One process serves one deployment. */
export function openPageBridge(services: Services, facts: Omit<PageBridge, 'person'>): void {
  const bridge: PageBridge = { ...facts, person: (cookie) => findPersonByCookie(services, cookie) };
  Object.assign(globalThis, { [PAGE_BRIDGE]: bridge });
}
