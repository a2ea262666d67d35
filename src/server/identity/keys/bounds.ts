/** The longest grace period, in hours, in which a rotated key is still valid. */
export const GRACE_HOURS = 24;
