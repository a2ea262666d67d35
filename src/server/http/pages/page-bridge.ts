import { AsyncLocalStorage } from 'node:async_hooks';
import { callTRPCProcedure, getTRPCErrorFromUnknown } from '@trpc/server';
import type { AppRouter } from '../../api/router';
import type { PersonPrincipal } from '../../identity/principals';
import type { Services } from '../../trpc/context';
import { findPerson } from '../caller/authentication';
import { checkCaller } from '../caller/caller-check';
import { contextOf } from '../context-of';
import type { Exchange } from '../exchange';
import { logFault } from '../fault-log';

/**
 * What the server offers to the pages that it renders in its own process. Next bundles its pages separately, with copies of
 * every module, so the bridge uses the one thing that both share: the global object.
 */
export interface PageBridge {
  /** The path of the back office, `/admin`. */
  adminPrefix: string;
  appUrl: string;
  version: string;
  /** Whether users may also sign in through an identity provider. */
  identityProvider: boolean;
  /** The signed-in user of the request being rendered. The database is asked once per request. */
  person(): Promise<PersonPrincipal | null>;
  /**
   * Runs a query for the reader of the page, with their session and without HTTP.
   *
   * @returns what their browser would get from `/api/trpc`: values as in JSON
   * @throws TRPCError if the procedure refuses or fails
   */
  query(path: string, input: unknown): Promise<unknown>;
}

/** A page's request while it is being rendered. */
interface Rendering {
  exchange: Exchange;
  person: Promise<PersonPrincipal | null> | undefined;
}

const PAGE_BRIDGE = Symbol.for('brickdesk.pages');

const renderings = new AsyncLocalStorage<Rendering>();

/** Renders a page, whose code finds its request through the bridge. */
export function renderPage(exchange: Exchange, render: () => Promise<void>): Promise<void> {
  return renderings.run({ exchange, person: undefined }, render);
}

function currentRendering(): Rendering {
  const rendering = renderings.getStore();
  if (!rendering) throw new Error('The bridge is for pages while they are rendered.');
  return rendering;
}

async function readPerson(services: Services, exchange: Exchange): Promise<PersonPrincipal | null> {
  await checkCaller(exchange, async () => {
    exchange.person = await findPerson(services, exchange);
  });
  return exchange.person;
}

/** Opens the bridge for pages. One process serves one deployment. */
export function openPageBridge(
  router: AppRouter,
  services: Services,
  facts: Omit<PageBridge, 'person' | 'query'>,
): void {
  const person: PageBridge['person'] = () => {
    const rendering = currentRendering();
    rendering.person ??= readPerson(services, rendering.exchange);
    return rendering.person;
  };
  const query: PageBridge['query'] = async (path, input) => {
    const { exchange } = currentRendering();
    await person();
    try {
      const output: unknown = await callTRPCProcedure({
        router,
        path,
        type: 'query',
        ctx: contextOf(exchange, services),
        getRawInput: async () => input,
        signal: exchange.gone(),
        batchIndex: 0,
      });
      // As it would come over HTTP: instants as text, and no undefined members.
      return JSON.parse(JSON.stringify(output));
    } catch (thrown) {
      const error = getTRPCErrorFromUnknown(thrown);
      logFault(services, exchange, error);
      throw error;
    }
  };
  const bridge: PageBridge = { ...facts, person, query };
  Object.assign(globalThis, { [PAGE_BRIDGE]: bridge });
}
