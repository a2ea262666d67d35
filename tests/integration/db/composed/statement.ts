/** One form that a composed statement can take: its text, with values for its parameters. */
export interface Variant {
  /** What makes this form different. */
  name: string;
  text: string;
  values: readonly unknown[];
  /** Whether it runs with countOnShards (src/server/db/shard-limits.ts). */
  canLimitOnShards?: boolean;
}

/** A statement that is composed from parts, with every form that it can take. */
export interface ComposedStatement {
  name: string;
  /**
   * The PostgreSQL type of each column of the result. Declare it as `Record<keyof Row, string>`, so that the compiler checks the
   * names.
   */
  columns: Readonly<Record<string, string>>;
  variants: readonly Variant[];
}

/** Returns an empty filter, one filter for each part, and one with all parts merged. */
export function makeFilters<Filter extends object>(parts: readonly Filter[]): Filter[] {
  return [{} as Filter, ...parts, Object.assign({}, ...parts)];
}
