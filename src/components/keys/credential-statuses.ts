import type { RouterOutputs } from '../api/router-types';
import type { Status } from '../ui/value/status-badge';

/** The status that shows each state of a key or token. A shipment's `expired` means something else. */
export const CREDENTIAL_STATUSES = {
  active: 'active',
  expired: 'credential_expired',
  revoked: 'revoked',
} as const satisfies Record<RouterOutputs['keys']['list'][number]['state'], Status>;
