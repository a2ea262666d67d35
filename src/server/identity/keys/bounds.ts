/** The longest time that a key stays valid beside its replacement. */
export const GRACE_HOURS = 24;
