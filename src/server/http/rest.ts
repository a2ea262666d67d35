import type { IncomingMessage, ServerResponse } from 'node:http';
import { createOpenApiNodeHttpHandler } from 'trpc-openapi';
import type { AppRouter } from '../api/router';
import type { Context, Services } from '../trpc/context';
import { contextOf } from './context-of';
import type { Exchange } from './exchange';

/** What a procedure answered: the JSON text of its output, or what it threw. */
type RestOutcome = { body: string } | { error: unknown };

/** Runs the procedure of a REST path on an input that has been read and parsed already. */
export type RestHandler = (exchange: Exchange, input: object) => Promise<RestOutcome>;

interface RestRequest {
  exchange: Exchange;
  thrown: { error: unknown } | null;
}

const HEADERS = { get: (name: string) => (name === 'content-type' ? 'application/json' : null) };

/**
 * The parameters, each with its values. trpc-openapi would look them up in an ordinary object, where `constructor` and
 * `__proto__` are there already, and fail.
 */
function parametersOf(query: string): Record<string, string[]> {
  const parameters: Record<string, string[]> = Object.create(null);
  for (const [name, value] of new URLSearchParams(query)) {
    parameters[name] ??= [];
    parameters[name].push(value);
  }
  return parameters;
}

/**
 * The request as trpc-openapi wants it. It passes for a web Request, because for any other the package writes the whole body
 * as JSON again and parses the client's Host header, only to have a signal.
 */
function restRequest(exchange: Exchange, input: object): RestRequest {
  const { req, path, query } = exchange;
  const members = {
    method: req.method === 'HEAD' ? 'GET' : req.method,
    url: query ? `${path}?${query}` : path,
    headers: HEADERS,
    body: input,
    signal: undefined,
    query: parametersOf(query),
    exchange,
    thrown: null,
  };
  const descriptors = Object.entries(members).map(([name, value]) => [name, { value, writable: true }]);
  return Object.create(Request.prototype, Object.fromEntries(descriptors));
}

const ignore = () => undefined;

/**
 * trpc-openapi's node handler between our own steps. It is given the parsed body, so that it never reads one itself, and a
 * response that only records: status, headers and error texts are decided here, not there.
 */
export function createRestHandler(router: AppRouter, services: Services): RestHandler {
  const handle = createOpenApiNodeHttpHandler<AppRouter, IncomingMessage, ServerResponse>({
    router,
    createContext: async ({ req }): Promise<Context> => {
      const { exchange } = req as never as RestRequest;
      return contextOf(exchange, services);
    },
    onError: ({ error, req }) => {
      (req as never as RestRequest).thrown = { error };
    },
  });
  return async (exchange, input) => {
    const request = restRequest(exchange, input);
    let recorded = '';
    const response = {
      statusCode: 200,
      setHeader: ignore,
      end: (body: string) => {
        recorded = body;
      },
    };
    await handle(request as never, response as never);
    return request.thrown ?? { body: recorded };
  };
}
