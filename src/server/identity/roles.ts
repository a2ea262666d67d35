/** The roles, from the most to the least powerful. */
export const ROLES = ['owner', 'admin', 'operator', 'viewer'] as const;

type Role = (typeof ROLES)[number];

const EVERYONE: readonly Role[] = ROLES;
const OPERATORS: readonly Role[] = ['owner', 'admin', 'operator'];
const MANAGERS: readonly Role[] = ['owner', 'admin'];

/**
 * What each role may do is defined here, except who may require a second factor of other users (users/service.ts) and who may
 * delete shared views (views/service.ts). Procedures declare the permission they need, and pages hide what the user's role does
 * not allow.
 */
const ROLES_BY_PERMISSION = {
  /** What belongs to one user, such as their password, sessions, tokens, notification channels and views. */
  'self.manage': EVERYONE,
  'orders.read': EVERYONE,
  'orders.write': OPERATORS,
  'imports.read': EVERYONE,
  'imports.write': OPERATORS,
  'tracking.read': EVERYONE,
  'tracking.write': OPERATORS,
  'messages.read': EVERYONE,
  'messages.write': OPERATORS,
  'prompts.write': MANAGERS,
  'statistics.read': EVERYONE,
  'statistics.write': OPERATORS,
  'catalog.read': EVERYONE,
  'catalog.write': OPERATORS,
  'shops.write': MANAGERS,
  'shops.delete': ['owner'],
  'records.read': MANAGERS,
  'keys.read': MANAGERS,
  'keys.write': MANAGERS,
  /** The chats to which the whole team's notifications go. */
  'channels.write': MANAGERS,
  'clients.read': MANAGERS,
  'clients.write': MANAGERS,
  'users.read': MANAGERS,
  'users.write': MANAGERS,
  'audit.read': MANAGERS,
  'settings.read': MANAGERS,
} satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof ROLES_BY_PERMISSION;

/** Returns whether a role has a permission. */
export function hasPermission(role: Role, permission: Permission): boolean {
  return (ROLES_BY_PERMISSION[permission] as readonly Role[]).includes(role);
}

/** Returns the roles that have a permission. */
export function rolesWith(permission: Permission): readonly Role[] {
  return ROLES_BY_PERMISSION[permission];
}

/** Returns all permissions of a role. */
export function permissionsOf(role: Role): Permission[] {
  return (Object.keys(ROLES_BY_PERMISSION) as Permission[]).filter((permission) =>
    hasPermission(role, permission),
  );
}

/** Returns whether an actor who may manage users may manage those with the target role: only owners manage owners. */
export function canManage(actorRole: Role, targetRole: Role): boolean {
  return actorRole === 'owner' || targetRole !== 'owner';
}
