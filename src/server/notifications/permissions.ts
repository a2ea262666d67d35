import { hasPermission, type Permission } from '../identity/roles';
import type { Role } from '../identity/schema';
import type { Alert } from './kind';
import { KEYS_PATH, type Message } from './message';

/** The permissions that alerts require of their reader. */
const REQUIRED_PERMISSIONS: Partial<Record<Alert, Permission>> = { key_expiring: 'keys.read' };

/**
 * Returns whether a channel's reader may see a kind of alert. Channels of the team are set up by users who manage the team's
 * channels, so they may show everything.
 *
 * @param role the user's role, null for a channel of the team. Roles change, so it is checked when a message is written and again
 * when it is sent, which may be hours later
 */
export function canReadKind(role: Role | null, kind: Alert): boolean {
  const permission = REQUIRED_PERMISSIONS[kind];
  return permission === undefined || hasPermission(role ?? 'owner', permission);
}

/** Returns whether a channel's reader may see a message. A summary, too, may name API keys, in lines that link to their page. */
export const canReadMessage = (role: Role | null, { lines }: Message) =>
  canReadKind(role, 'key_expiring') || !lines.some(({ path }) => path === KEYS_PATH);
