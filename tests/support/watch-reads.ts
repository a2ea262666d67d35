/** Returns bytes that can be read like `bytes`, and a function that returns how many have been read. */
export function watchReads(bytes: Uint8Array): { watchedBytes: Uint8Array; countReads: () => number } {
  let readCount = 0;
  const watchedBytes = new Proxy(bytes, {
    get(target, name) {
      if (typeof name === 'string' && /^\d+$/.test(name)) readCount++;
      return Reflect.get(target, name, target);
    },
  });
  return { watchedBytes, countReads: () => readCount };
}
