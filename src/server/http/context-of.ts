import { withoutCredentials } from '../core/received';
import type { Context, Services } from '../trpc/context';
import type { Exchange } from './exchange';

/** What a procedure is told of the exchange that it serves. */
export function contextOf(exchange: Exchange, services: Services): Context {
  const { req } = exchange;
  return {
    services,
    requestId: exchange.requestId,
    address: exchange.address,
    key: exchange.key,
    person: exchange.person,
    bearer: exchange.bearer,
    body: exchange.body,
    keepAnswer: exchange.keepAnswer,
    header: (name) => {
      const value = req.headers[name.toLowerCase()];
      return typeof value === 'string' ? value : null;
    },
    received: () => ({
      method: req.method ?? 'GET',
      query: [...new URLSearchParams(exchange.query)],
      headers: withoutCredentials(req.headers),
    }),
  };
}
