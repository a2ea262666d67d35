/** The maximum grace period during which a rotated key stays valid, in hours. */
export const MAX_GRACE_HOURS = 24;
