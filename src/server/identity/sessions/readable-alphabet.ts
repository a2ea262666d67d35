/** Letters and digits that are easy to read out and to type: none looks like another, as 0 and o or 1 and l do. */
export const READABLE_ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
