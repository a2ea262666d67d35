import { BlockList, isIP } from 'node:net';

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Returns whether a string is an IP address or a CIDR range: `203.0.113.7`, `10.0.0.0/8`, `2001:db8::/32`. */
export function isAddressRange(text: string): boolean {
  const [address = '', bits, ...surplusParts] = text.split('/');
  const version = isIP(address);
  if (version === 0 || address.includes('%') || surplusParts.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 6 ? 128 : 32));
}

/**
 * Returns whether an address lies in one of the ranges, each of which must satisfy isAddressRange. An IPv4-mapped IPv6 address
 * counts as IPv4.
 */
export function isInRanges(address: string, ranges: readonly string[]): boolean {
  const plainAddress = address.replace(/^::ffff:(?=\d+\.)/i, '');
  if (isIP(plainAddress) === 0) return false;
  const rangeList = new BlockList();
  for (const range of ranges) {
    const [baseAddress = '', bits] = range.split('/');
    if (bits === undefined) rangeList.addAddress(baseAddress, familyOf(baseAddress));
    else rangeList.addSubnet(baseAddress, Number(bits), familyOf(baseAddress));
  }
  return rangeList.check(plainAddress, familyOf(plainAddress));
}

/** Returns the first 64 bits of an IPv6 address as text. */
function prefixOf(address: string): string {
  const [plainAddress = ''] = address.split('%');
  const [head = '', tail] = plainAddress.split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const tailGroups = tail === '' ? [] : tail.split(':');
    while (groups.length + tailGroups.length < 8) groups.push('0');
    groups.push(...tailGroups);
  }
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}

/**
 * Returns the network by which callers are counted: an IPv4 address itself, or the /64 of an IPv6 address, since anyone with a
 * /64 has as many addresses as they like. An IPv4-mapped IPv6 address counts as IPv4.
 */
export function networkOf(address: string): string {
  const plainAddress = address.replace(/^::ffff:(?=\d+\.)/i, '');
  return isIP(plainAddress) === 6 ? `${prefixOf(plainAddress)}::/64` : plainAddress;
}
