import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { WriteStream } from 'fs-capacitor';

/** A client is cut off if it reads nothing for this long, so that its temporary file does not stay. */
const STALL_TIMEOUT_MS = 60_000;

/**
 * A response whose content is written at the speed at which it is generated, and read at the speed of the client. What the client
 * has not read yet is in a temporary file, so that a slow client does not hold on to a database connection.
 */
export class SpooledResponse {
  readonly #res: ServerResponse;
  #spool: WriteStream | null = null;
  /** Settles when the client has read everything or is gone. */
  #delivery: Promise<void> = Promise.resolve();

  constructor(res: ServerResponse) {
    this.#res = res;
  }

  /** Sends status 200 and the headers. */
  begin(headers: OutgoingHttpHeaders): void {
    this.#res.writeHead(200, headers);
    this.#res.setTimeout(STALL_TIMEOUT_MS, () => this.#res.destroy());
    this.#spool = new WriteStream();
    // The failed write reports the error.
    this.#spool.on('error', () => undefined);
    this.#delivery = pipeline(this.#spool.createReadStream(), this.#res);
    this.#delivery.catch(() => undefined);
    // From now on, the temporary file is removed once the client has read it or is gone.
    this.#spool.release();
  }

  /**
   * Resolves once the chunk is in the temporary file.
   *
   * @throws Error if the client is gone or the file cannot be written
   */
  write(chunk: string | Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#res.destroyed) return reject(new Error('The client closed the connection.'));
      this.#spool!.write(chunk, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** Resolves once the client has read everything. @throws Error if the client is gone before that */
  async end(): Promise<void> {
    if (!this.#spool) this.#res.end();
    this.#spool?.end();
    await this.#delivery;
  }
}
