import type { Prisma } from '../../generated/prisma/client';

/** The names of the statements by their text, for traces: in a Prisma transaction, only the text reaches the connection. */
const NAME_BY_TEXT = new Map<string, string>();

/** Returns the name of the statement with this text, if it is one of ours. */
export const statementName = (text: string): string | undefined => NAME_BY_TEXT.get(text);

/** Runs statements: a pool, or a connection inside a transaction. */
interface Connection {
  query(query: { name?: string; text: string; values: unknown[] }): Promise<{ rows: unknown[] }>;
}

/** The arguments of a statement: none if it has no parameters. */
type Arguments<Params> = [Params] extends [undefined] ? [] : [Params];

/**
 * A SQL statement with the types of its parameters and rows. `npm run sql` generates one for each statement of the `.sql`
 * files, with the types that the database reports; a test proves that they fit the migrations.
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
    NAME_BY_TEXT.set(text, name);
  }

  /** Returns the statement with the values of its parameters, for a cursor. */
  bind(...args: Arguments<Params>): { text: string; values: unknown[] } {
    const [params] = args;
    return {
      text: this.text,
      values: params == null ? [] : this.#parameters.map((name) => params[name]),
    };
  }

  /** Runs the statement with a plan for these values. `bigint` and `numeric` are returned as text. */
  async run(connection: Connection, ...args: Arguments<Params>): Promise<Row[]> {
    return (await connection.query(this.bind(...args))).rows as Row[];
  }

  /**
   * Runs the statement prepared under its name: for hot paths, where planning takes longer than running. PostgreSQL may reuse
   * one plan for all values, so use this only if the plan does not depend on them.
   */
  async runPrepared(connection: Connection, ...args: Arguments<Params>): Promise<Row[]> {
    return (await connection.query({ name: this.name, ...this.bind(...args) })).rows as Row[];
  }

  /**
   * Runs the statement inside a Prisma transaction. Prisma returns `bigint` as BigInt; cast such columns to text or int.
   */
  async runIn(
    tx: Pick<Prisma.TransactionClient, '$queryRawUnsafe'>,
    ...args: Arguments<Params>
  ): Promise<Row[]> {
    const { text, values } = this.bind(...args);
    return tx.$queryRawUnsafe<Row[]>(text, ...values);
  }
}
