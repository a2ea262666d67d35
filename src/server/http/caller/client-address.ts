import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import proxyAddr from 'proxy-addr';

/** Finds the address of the client behind a request. */
export type AddressOf = (req: IncomingMessage) => string;

/** Removes the port that some proxies add to an address: `203.0.113.7:50123`, `[2001:db8::1]:50123`. */
function withoutPort(text: string): string {
  const [, ipv6, ipv4] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/.exec(text) ?? [];
  return ipv6 ?? ipv4 ?? text;
}

/**
 * Creates the function that finds a client's address, or '' if it is unknown. It trusts X-Forwarded-For only as far as trusted
 * proxies wrote it: anyone else can put anything there.
 */
export function createAddressOf(trustedProxies: readonly string[]): AddressOf {
  const isTrusted = proxyAddr.compile([...trustedProxies]);
  return (req) => {
    // Without a connection, a request has no address.
    if (!req.socket?.remoteAddress) return '';
    const client = withoutPort(proxyAddr(req, (address, index) => isTrusted(withoutPort(address), index)));
    // A proxy may write something else, such as `unknown`. The proxy's own address would then be wrong: a key may be limited to the
    // network of the proxy.
    return isIP(client) === 0 ? '' : client.replace(/^::ffff:(?=\d+\.)/i, '');
  };
}
