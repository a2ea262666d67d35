/** Returns a random key. Works without TLS, unlike `crypto.randomUUID`. */
export const createIdempotencyKey = () =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-');
