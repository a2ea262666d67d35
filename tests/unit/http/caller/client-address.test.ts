import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { createAddressOf } from '../../../../src/server/http/caller/client-address';

const addressOf = createAddressOf(['10.0.0.0/8', '2001:db8:aa::/48']);

/** Returns the address of the client of a request from `remoteAddress` with an X-Forwarded-For header. */
function findAddress(forwardedFor: string | undefined, remoteAddress: string | undefined = '10.0.0.1') {
  const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor };
  return addressOf({ headers, socket: { remoteAddress } } as unknown as IncomingMessage);
}

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.7:51234', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['[::ffff:203.0.113.7]:51234', '203.0.113.7'],
  ['2001:db8::1', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['[2001:db8::1]:51234', '2001:db8::1'],
  // Through further proxies, some of which write their own port, too.
  ['203.0.113.7:51234, 10.0.0.2:443', '203.0.113.7'],
  ['203.0.113.7, [2001:db8:aa::1]:443, 10.0.0.2', '203.0.113.7'],
  // What stands before the address that a trusted proxy wrote may come from the client.
  ['10.0.0.9, 203.0.113.7:51234', '203.0.113.7'],
  [undefined, '10.0.0.1'],
])('a trusted proxy that writes %s reports the client %s, without its port', (forwardedFor, address) => {
  expect(findAddress(forwardedFor)).toBe(address);
});

it.each(['unknown', '_hidden', '203.0.113.7:port', '[203.0.113.7', '999.1.1.1:80', '10.0.0.2, unknown'])(
  "a client whose trusted proxy writes %s has no known address, and does not get the proxy's",
  (forwardedFor) => {
    expect(findAddress(forwardedFor)).toBe('');
  },
);

it('a client that is no trusted proxy has its own address, whatever it sends', () => {
  expect(findAddress('203.0.113.7:51234', '198.51.100.1')).toBe('198.51.100.1');
  expect(findAddress('203.0.113.7', '::ffff:198.51.100.1')).toBe('198.51.100.1');
});
