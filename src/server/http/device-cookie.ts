import { randomUUID } from 'node:crypto';
import { parseCookie, stringifySetCookie } from 'cookie';
import { z } from 'zod';
import type { SecretBox } from '../core/secret-box';

/** How long a device is known after its last sign-in. */
const KNOWN_SECONDS = 365 * 24 * 60 * 60;
/** People who share one browser; whoever signed in longest ago is forgotten first. */
const MOST_PEOPLE = 10;
const PATH = '/api/auth';

const nameOf = (https: boolean) => `${https ? '__Secure-' : ''}brickdesk.device`;

const contents = z.object({ id: z.uuid(), users: z.array(z.int()), until: z.number() });

/**
 * Remembers at a browser who has signed in there. It lets nobody in: attempts from a device that is known to an account are
 * counted apart, so that nobody elsewhere can make its person wait by guessing. It is encrypted and scripts cannot read it.
 */
export interface DeviceCookie {
  /** The device's id, where it has signed in to this account before; null otherwise. */
  deviceOf(cookie: string | undefined, userId: number): string | null;
  /** The cookie that says that the person has signed in at this browser. */
  remember(cookie: string | undefined, userId: number): string;
}

export function createDeviceCookie(secrets: SecretBox, https: boolean, now: () => number): DeviceCookie {
  const name = nameOf(https);
  const read = (cookie: string | undefined) => {
    const value = parseCookie(cookie ?? '')[name];
    if (value === undefined) return null;
    try {
      const text = secrets.open('device', 'sign-in', Buffer.from(value, 'base64url'));
      const device = contents.parse(JSON.parse(text));
      return now() < device.until ? device : null;
    } catch {
      // Whatever was not made here, or was altered, is none.
      return null;
    }
  };
  return {
    deviceOf(cookie, userId) {
      const device = read(cookie);
      return device?.users.includes(userId) ? device.id : null;
    },
    remember(cookie, userId) {
      const known = read(cookie);
      const others = known?.users.filter((each) => each !== userId) ?? [];
      const device: z.output<typeof contents> = {
        id: known?.id ?? randomUUID(),
        users: [userId, ...others].slice(0, MOST_PEOPLE),
        until: now() + KNOWN_SECONDS * 1000,
      };
      const value = Buffer.from(secrets.seal('device', 'sign-in', JSON.stringify(device))).toString(
        'base64url',
      );
      return stringifySetCookie({
        name,
        value,
        maxAge: KNOWN_SECONDS,
        httpOnly: true,
        sameSite: 'lax',
        secure: https,
        path: PATH,
      });
    },
  };
}
