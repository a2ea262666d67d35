import { messageKeys } from '../../i18n/message-keys';

export const ROLE_NAMES = messageKeys('common', {
  owner: 'roles.owner',
  admin: 'roles.admin',
  operator: 'roles.operator',
  viewer: 'roles.viewer',
});
