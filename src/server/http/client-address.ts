import type { IncomingMessage } from 'node:http';
import proxyAddr from 'proxy-addr';

/** Finds the address of the client behind a request. */
export type AddressOf = (req: IncomingMessage) => string;

/**
 * The address that a request comes from. X-Forwarded-For counts only as far as it was written by proxies that are trusted;
 * anybody else may write into it what they like.
 */
export function createAddressOf(trustedProxies: readonly string[]): AddressOf {
  const trust = proxyAddr.compile([...trustedProxies]);
  return (req) => {
    // A request that came another way than over a connection has no address of its own.
    if (!req.socket?.remoteAddress) return '';
    return proxyAddr(req, trust).replace(/^::ffff:(?=\d+\.)/, '');
  };
}
