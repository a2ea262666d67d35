/** The roles, from the one that may do everything to the one that may only view. */
export const ROLES = ['owner', 'admin', 'operator', 'viewer'] as const;

type Role = (typeof ROLES)[number];

/** What each role may do, defined only here. Procedures declare what they need; pages hide what a role lacks. */
const ALL: readonly Role[] = ROLES;
const WORKING: readonly Role[] = ['owner', 'admin', 'operator'];
const MANAGING: readonly Role[] = ['owner', 'admin'];

const ROLES_WITH = {
  /** The user's own name, password, second factor, sessions and tokens. */
  'self.manage': ALL,
  'orders.read': ALL,
  'orders.write': WORKING,
  'imports.read': ALL,
  'imports.write': WORKING,
  'tracking.read': ALL,
  'tracking.write': WORKING,
  'messages.read': ALL,
  'messages.write': WORKING,
  'prompts.write': MANAGING,
  'statistics.read': ALL,
  'statistics.write': WORKING,
  'catalog.read': ALL,
  'catalog.write': WORKING,
  'shops.write': MANAGING,
  'shops.delete': ['owner'],
  'records.read': MANAGING,
  'keys.read': MANAGING,
  'keys.write': MANAGING,
  /** The chats to which the whole team's notifications go. */
  'channels.write': MANAGING,
  'clients.read': MANAGING,
  'clients.write': MANAGING,
  'users.read': MANAGING,
  'users.write': MANAGING,
  'audit.read': MANAGING,
  'settings.read': MANAGING,
} satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof ROLES_WITH;

/** Returns whether a role has a permission. */
export function mayDo(role: Role, permission: Permission): boolean {
  return (ROLES_WITH[permission] as readonly Role[]).includes(role);
}

/** Returns the roles that have a permission. */
export function rolesWith(permission: Permission): readonly Role[] {
  return ROLES_WITH[permission];
}

/** Everything that a role may do. */
export function permissionsOf(role: Role): Permission[] {
  return (Object.keys(ROLES_WITH) as Permission[]).filter((permission) => mayDo(role, permission));
}

/** Only owners create and change owners. */
export function mayManage(actor: Role, target: Role): boolean {
  return actor === 'owner' || target !== 'owner';
}
