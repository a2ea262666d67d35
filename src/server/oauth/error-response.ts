import { ServiceError } from '../core/errors/errors';
import { respondWithError } from '../http/api';
import { ClientGoneError, type Exchange } from '../http/exchange';
import { localeOf, sendPage } from '../http/pages/plain-page';
import type { Services } from '../trpc/context';
import { publicError } from '../trpc/public-error';
import { INTERACTION_PREFIX, ROUTES } from './configuration';
import { renderCannotContinuePage } from './error-page';

interface FailureOptions {
  services: Services;
  adminPrefix: string;
}

const oauthErrorCodeOf = ({ code, status }: ServiceError): string => {
  if (code === 'service_unavailable' || code === 'rate_limited') return 'temporarily_unavailable';
  return status >= 500 ? 'server_error' : 'invalid_request';
};

/** Adds the protocol's members (RFC 6749, 5.2) to those of our own error envelope. */
export function toProtocolError(error: ServiceError): ServiceError {
  const { code, message, reason, headers, cause } = error;
  return new ServiceError(code, reason, {
    headers,
    cause: cause ?? error,
    members: { error: oauthErrorCodeOf(error), error_description: message },
  });
}

const isPageRequest = ({ path, req }: Exchange) =>
  req.method === 'GET' && (path.startsWith(ROUTES.authorization) || path.startsWith(INTERACTION_PREFIX));

/**
 * Responds to a failure that oidc-provider does not handle: with a page if one was requested and the fault is ours, otherwise
 * with JSON.
 */
export function respondWithFailure(exchange: Exchange, options: FailureOptions, thrown: unknown): void {
  const { services, adminPrefix } = options;
  const error = thrown instanceof ClientGoneError ? null : publicError(thrown);
  if (error === null || error.status < 500 || !isPageRequest(exchange)) {
    respondWithError(exchange, services, error === null ? thrown : toProtocolError(error));
    return;
  }
  const { requestId, route, res } = exchange;
  services.log.error({ err: error.cause ?? thrown, requestId, route }, error.code);
  for (const [name, value] of Object.entries(error.headers)) res.setHeader(name, value);
  sendPage(exchange, error.status, renderCannotContinuePage(localeOf(exchange), 'server', adminPrefix));
}
