/**
 * Returns the default export of a next-auth module. next-auth is CommonJS: in the build, Node imports all its exports as one
 * object; the tools that run the sources unwrap the default.
 */
export function defaultOf<T>(module: T): T {
  return (module as { default?: T }).default ?? module;
}
