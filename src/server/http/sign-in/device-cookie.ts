import { randomUUID } from 'node:crypto';
import { parseCookie, stringifySetCookie } from 'cookie';
import { z } from 'zod';
import type { SecretBox } from '../../core/secret-box';

/** How long a device is remembered after its last sign-in. */
const DEVICE_COOKIE_LIFETIME_SECONDS = 365 * 24 * 60 * 60;
/** The maximum number of users remembered in one browser; the one who signed in longest ago is forgotten first. */
const MAX_USERS = 10;
const PATH = '/api/auth';

const cookieName = (isHttps: boolean) => `${isHttps ? '__Secure-' : ''}brickdesk.device`;

const deviceSchema = z.object({ id: z.uuid(), users: z.array(z.int()), until: z.number() });

/**
 * A cookie that remembers who has signed in with this browser. It grants no access: it makes sign-in attempts from a known device
 * count separately, so that guessing elsewhere cannot lock the user out. Encrypted, and not readable by scripts.
 */
export interface DeviceCookie {
  /** Returns the device's ID if this user has signed in on it before; otherwise null. */
  deviceIdOf(cookieHeader: string | undefined, userId: number): string | null;
  /** Returns the Set-Cookie value that records this user's sign-in. */
  remember(cookieHeader: string | undefined, userId: number): string;
}

/** @param isHttps whether browsers send the cookie over HTTPS only */
export function createDeviceCookie(secrets: SecretBox, isHttps: boolean, now: () => number): DeviceCookie {
  const name = cookieName(isHttps);
  const readDevice = (cookieHeader: string | undefined) => {
    const value = parseCookie(cookieHeader ?? '')[name];
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
    deviceIdOf(cookieHeader, userId) {
      const device = readDevice(cookieHeader);
      return device?.users.includes(userId) ? device.id : null;
    },
    remember(cookieHeader, userId) {
      const previousDevice = readDevice(cookieHeader);
      const otherUserIds = previousDevice?.users.filter((id) => id !== userId) ?? [];
      const device: z.output<typeof deviceSchema> = {
        id: previousDevice?.id ?? randomUUID(),
        users: [userId, ...otherUserIds].slice(0, MAX_USERS),
        until: now() + DEVICE_COOKIE_LIFETIME_SECONDS * 1000,
      };
      const value = Buffer.from(secrets.seal('device', 'sign-in', JSON.stringify(device))).toString(
        'base64url',
      );
      return stringifySetCookie({
        name,
        value,
        maxAge: DEVICE_COOKIE_LIFETIME_SECONDS,
        httpOnly: true,
        sameSite: 'lax',
        secure: isHttps,
        path: PATH,
      });
    },
  };
}
