import { messageKeys } from '../../i18n/message-keys';
import type { Role } from '../../server/identity/schema';

export const ROLE_NAMES = messageKeys('common', {
  owner: 'roles.owner',
  admin: 'roles.admin',
  operator: 'roles.operator',
  viewer: 'roles.viewer',
}) satisfies Record<Role, string>;
