import { randomUUID } from 'node:crypto';
import { parseCookie, stringifySetCookie } from 'cookie';
import { z } from 'zod';
import type { SecretBox } from '../../core/secret-box';

/** How long a device is remembered after its last sign-in. */
const KNOWN_SECONDS = 365 * 24 * 60 * 60;
/** The maximum number of users remembered in one browser; the one who signed in longest ago is forgotten first. */
const MAX_USERS = 10;
const PATH = '/api/auth';

const cookieName = (https: boolean) => `${https ? '__Secure-' : ''}brickdesk.device`;

const deviceSchema = z.object({ id: z.uuid(), users: z.array(z.int()), until: z.number() });

/**
 * A cookie that remembers who has signed in with this browser. It grants no access: it makes sign-in attempts from a known device
 * count separately, so that guessing elsewhere cannot lock the user out. Encrypted, and not readable by scripts.
 */
export interface DeviceCookie {
  /** Returns the device's ID if this user has signed in on it before; otherwise null. */
  deviceOf(cookie: string | undefined, userId: number): string | null;
  /** Returns the Set-Cookie value that records this user's sign-in. */
  remember(cookie: string | undefined, userId: number): string;
}

/** @param https whether browsers send the cookie over HTTPS only */
export function createDeviceCookie(secrets: SecretBox, https: boolean, now: () => number): DeviceCookie {
  const name = cookieName(https);
  const readDevice = (cookie: string | undefined) => {
    const value = parseCookie(cookie ?? '')[name];
    if (value === undefined) return null;
    try {
      const text = secrets.open('device', 'sign-in', Buffer.from(value, 'base64url'));
      const device = deviceSchema.parse(JSON.parse(text));
      return now() < device.until ? device : null;
    } catch {
      // Ignore a cookie that is not ours or has been altered.
      return null;
    }
  };
  return {
    deviceOf(cookie, userId) {
      const device = readDevice(cookie);
      return device?.users.includes(userId) ? device.id : null;
    },
    remember(cookie, userId) {
      const previousDevice = readDevice(cookie);
      const otherUsers = previousDevice?.users.filter((id) => id !== userId) ?? [];
      const device: z.output<typeof deviceSchema> = {
        id: previousDevice?.id ?? randomUUID(),
        users: [userId, ...otherUsers].slice(0, MAX_USERS),
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
