import type { IncomingMessage } from 'node:http';
import proxyAddr from 'proxy-addr';

/** Finds the address of the client behind a request. */
export type AddressOf = (req: IncomingMessage) => string;

/**
 * Returns the address that a request comes from. X-Forwarded-For counts only as far as trusted proxies wrote it; anyone else
 * can put anything there.
 */
export function createAddressOf(trustedProxies: readonly string[]): AddressOf {
  const trust = proxyAddr.compile([...trustedProxies]);
  return (req) => {
    // A request that did not come over a connection has no address.
    if (!req.socket?.remoteAddress) return '';
    return proxyAddr(req, trust).replace(/^::ffff:(?=\d+\.)/, '');
  };
}
