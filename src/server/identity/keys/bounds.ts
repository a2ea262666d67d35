/** The maximum grace period during which a rotated key stays valid, in hours. */
export const GRACE_HOURS = 24;
