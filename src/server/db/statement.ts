import type { Prisma } from '../../generated/prisma/client';

/** What runs a statement: a pool, or a connection that is inside a transaction. */
interface Connection {
  query(query: { name?: string; text: string; values: unknown[] }): Promise<{ rows: unknown[] }>;
}

/** What a statement is called with: nothing where it has no parameters. */
type Given<Params> = [Params] extends [undefined] ? [] : [Params];

/**
 * A SQL statement with the types of its parameters and rows. `npm run sql` writes one for each statement of the `.sql` files,
 * with the types that the database itself gives them; a test proves that they fit the migrations.
 */
export class Statement<Params, Row> {
  readonly #parameters: readonly (keyof Params)[];

  constructor(
    readonly name: string,
    /** The SQL, with `$1`, `$2` and so on for the parameters. */
    readonly text: string,
    parameters: readonly (keyof Params)[] = [],
  ) {
    this.#parameters = parameters;
  }

  #query(given: Given<Params>): { text: string; values: unknown[] } {
    const [params] = given;
    return {
      text: this.text,
      values: params == null ? [] : this.#parameters.map((name) => params[name]),
    };
  }

  /** Runs the statement, planned for these very values. A `bigint` or `numeric` comes as text. */
  async run(connection: Connection, ...given: Given<Params>): Promise<Row[]> {
    return (await connection.query(this.#query(given))).rows as Row[];
  }

  /**
   * Runs the statement prepared under its name: for hot paths, where planning it anew would take longer than running it.
   * PostgreSQL may keep one plan for all values, so leave it to statements whose plan does not depend on them.
   */
  async runPrepared(connection: Connection, ...given: Given<Params>): Promise<Row[]> {
    return (await connection.query({ name: this.name, ...this.#query(given) })).rows as Row[];
  }

  /** Runs the statement inside a transaction of Prisma, which makes a BigInt of a `bigint`: cast such a column to text or int. */
  async runIn(
    tx: Pick<Prisma.TransactionClient, '$queryRawUnsafe'>,
    ...given: Given<Params>
  ): Promise<Row[]> {
    const { text, values } = this.#query(given);
    return tx.$queryRawUnsafe<Row[]>(text, ...values);
  }
}
