import type { IncomingMessage, ServerResponse } from 'node:http';
import { createOpenApiNodeHttpHandler } from 'trpc-openapi';
import type { Context, Services } from '../trpc/context';
import type { AppRouter } from '../trpc/router';
import type { Exchange } from './exchange';

/** What a procedure answered: the JSON text of its output, or what it threw. */
export type RestOutcome = { body: string } | { error: unknown };

/** Runs the procedure of a REST path on an input that has been read and parsed already. */
export type RestHandler = (exchange: Exchange, input: object) => Promise<RestOutcome>;

/** What trpc-openapi reads of a request; its headers are ours, as a client's Host could not even be parsed. */
interface RestRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: object;
  exchange: Exchange;
  thrown: { error: unknown } | null;
}

const ignore = () => undefined;
const EVENTS = { on: ignore, once: ignore, off: ignore };
const HEADERS = { host: 'localhost', 'content-type': 'application/json' };

/**
 * trpc-openapi's node handler between our own steps. It is given the parsed body, so that it never reads one itself, and a
 * response that only records: status, headers and error texts are decided here, not there.
 */
export function createRestHandler(router: AppRouter, services: Services): RestHandler {
  const handle = createOpenApiNodeHttpHandler<AppRouter, IncomingMessage, ServerResponse>({
    router,
    createContext: async ({ req }): Promise<Context> => {
      const { exchange } = req as never as RestRequest;
      return { services, requestId: exchange.requestId, key: exchange.key };
    },
    onError: ({ error, req }) => {
      (req as never as RestRequest).thrown = { error };
    },
  });
  return async (exchange, input) => {
    const request: RestRequest = {
      method: exchange.req.method === 'HEAD' ? 'GET' : (exchange.req.method ?? 'GET'),
      url: exchange.query ? `${exchange.path}?${exchange.query}` : exchange.path,
      headers: HEADERS,
      body: input,
      exchange,
      thrown: null,
    };
    let recorded = '';
    const response = {
      statusCode: 200,
      setHeader: ignore,
      end: (body: string) => {
        recorded = body;
      },
      ...EVENTS,
    };
    await handle(Object.assign(request, EVENTS) as never, response as never);
    return request.thrown ?? { body: recorded };
  };
}
