import { AsyncLocalStorage } from 'node:async_hooks';
import { callTRPCProcedure, getTRPCErrorFromUnknown } from '@trpc/server';
import type { AppRouter } from '../../api/router';
import type { UserPrincipal } from '../../identity/principals';
import type { Services } from '../../trpc/context';
import { findUser } from '../caller/authentication';
import { checkCaller } from '../caller/caller-check';
import { contextOf } from '../context';
import type { Exchange } from '../exchange';
import { logProcedureFailure } from '../failure-log';

/**
 * What the server offers to the pages that it renders in its own process. Next bundles its pages separately, with copies of
 * every module, so the bridge is stored in the only thing that the server and its pages share: the global object.
 */
export interface PageBridge {
  /** The path of the back office; `/admin` by default. */
  adminPrefix: string;
  appUrl: string;
  version: string;
  /** Whether users may also sign in through an identity provider. */
  hasIdentityProvider: boolean;
  /** The maximum size of a file of orders. */
  maxImportBytes: number;
  /** Returns the signed-in user of the request being rendered. Queries the database at most once per request. */
  findUser(): Promise<UserPrincipal | null>;
  /**
   * Runs a query as the reader of the page, without HTTP. While a page is rendered, each query runs at most once: its title and its
   * content may both ask for the same record.
   *
   * @returns the JSON value that their browser would get from `/api/trpc`
   * @throws TRPCError if the procedure refuses or fails
   */
  query(path: string, input: unknown): Promise<unknown>;
}

/** A page's request while it is being rendered. */
interface Rendering {
  exchange: Exchange;
  userPromise: Promise<UserPrincipal | null> | undefined;
  /** The results of the queries so far, by path and input. */
  resultPromises: Map<string, Promise<unknown>>;
}

const PAGE_BRIDGE = Symbol.for('brickdesk.pages');

const renderingStorage = new AsyncLocalStorage<Rendering>();

/** Renders a page, and lets its code use the bridge with this request. */
export function renderPage(exchange: Exchange, render: () => Promise<void>): Promise<void> {
  return renderingStorage.run({ exchange, userPromise: undefined, resultPromises: new Map() }, render);
}

function currentRendering(): Rendering {
  const rendering = renderingStorage.getStore();
  if (!rendering) throw new Error('The bridge is for pages while they are rendered.');
  return rendering;
}

async function readUser(services: Services, exchange: Exchange): Promise<UserPrincipal | null> {
  await checkCaller(exchange, async () => {
    exchange.user = await findUser(services, exchange);
  });
  return exchange.user;
}

/** Opens the bridge for pages. A process has only one. */
export function openPageBridge(
  router: AppRouter,
  services: Services,
  settings: Omit<PageBridge, 'findUser' | 'query'>,
): void {
  const findPageUser: PageBridge['findUser'] = () => {
    const rendering = currentRendering();
    rendering.userPromise ??= readUser(services, rendering.exchange);
    return rendering.userPromise;
  };
  const runQuery = async (exchange: Exchange, path: string, input: unknown): Promise<unknown> => {
    await findPageUser();
    try {
      const output: unknown = await callTRPCProcedure({
        router,
        path,
        type: 'query',
        ctx: contextOf(exchange, services),
        getRawInput: async () => input,
        signal: exchange.abortSignal(),
        batchIndex: 0,
      });
      // As over HTTP: turns dates into strings and drops undefined properties.
      return JSON.parse(JSON.stringify(output));
    } catch (thrown) {
      const error = getTRPCErrorFromUnknown(thrown);
      logProcedureFailure(services, exchange, error);
      throw error;
    }
  };
  const query: PageBridge['query'] = (path, input) => {
    const { exchange, resultPromises } = currentRendering();
    const key = JSON.stringify([path, input]);
    const resultPromise = resultPromises.get(key) ?? runQuery(exchange, path, input);
    resultPromises.set(key, resultPromise);
    return resultPromise;
  };
  const bridge: PageBridge = { ...settings, findUser: findPageUser, query };
  Object.assign(globalThis, { [PAGE_BRIDGE]: bridge });
}
