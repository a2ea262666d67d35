/** next-auth is CommonJS: in the build, Node imports its exports whole; the tools that run the sources unwrap the default. */
export function defaultOf<T>(module: T): T {
  return (module as { default?: T }).default ?? module;
}
