import type { IncomingMessage } from 'node:http';
import proxyAddr from 'proxy-addr';

/** Finds the address of the client behind a request. */
export type AddressOf = (req: IncomingMessage) => string;

/**
 * Creates the function that finds a client's address. It trusts X-Forwarded-For only as far as trusted proxies wrote it: anyone
 * else can put anything there.
 */
export function createAddressOf(trustedProxies: readonly string[]): AddressOf {
  const isTrusted = proxyAddr.compile([...trustedProxies]);
  return (req) => {
    // Without a connection, a request has no address.
    if (!req.socket?.remoteAddress) return '';
    return proxyAddr(req, isTrusted).replace(/^::ffff:(?=\d+\.)/, '');
  };
}
