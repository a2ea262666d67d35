import { maskHeaders, maskQuery } from '../core/http/received-request';
import type { Caller, Context, Services } from '../trpc/context';
import { recheckCaller, recheckCallerAfterWait } from './caller/caller-check';
import type { Exchange } from './exchange';

/** What to record for a call instead of the request's own method and query. */
interface CallToRecord {
  method: string;
  parameters: URLSearchParams;
}

const callerOf = ({ key, user, bearer }: Exchange): Caller => ({ key, user, bearer });

/** Returns the context of a procedure that this exchange calls. */
export function contextOf(exchange: Exchange, services: Services, call?: CallToRecord): Context {
  const { req } = exchange;
  return {
    services,
    requestId: exchange.requestId,
    address: exchange.address,
    key: exchange.key,
    user: exchange.user,
    bearer: exchange.bearer,
    recheckCaller: async (isMutation) => {
      await recheckCaller(exchange, isMutation);
      return callerOf(exchange);
    },
    recheckCallerAfterWait: async () => {
      await recheckCallerAfterWait(exchange);
      return callerOf(exchange);
    },
    body: exchange.body,
    abortSignal: exchange.abortSignal,
    storeResponse: exchange.storeResponse,
    header: (name) => {
      const value = req.headers[name.toLowerCase()];
      return typeof value === 'string' ? value : null;
    },
    receivedRequest: () => ({
      method: call?.method ?? req.method ?? 'GET',
      query: maskQuery(call?.parameters ?? new URLSearchParams(exchange.query)),
      headers: maskHeaders(req.headers),
    }),
  };
}
