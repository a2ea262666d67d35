const encoder = new TextEncoder();
const INITIAL_CAPACITY = 16 * 1024;
/** UTF-8 takes at most three bytes for a UTF-16 unit. */
const MAX_BYTES_PER_UNIT = 3;
const OPENING_BRACKET = 0x5b;
const COMMA = 0x2c;
const CLOSING_BRACKET = 0x5d;

/** Builds a JSON list in UTF-8, one record at a time: only the bytes stay in memory, not the records or their strings. */
export class JsonListWriter {
  private bytes = new Uint8Array(INITIAL_CAPACITY);
  private length = 0;
  /** How many records have been added. */
  count = 0;

  add(record: unknown): void {
    const text = JSON.stringify(record);
    this.reserve(text.length * MAX_BYTES_PER_UNIT + 2);
    this.bytes[this.length++] = this.count === 0 ? OPENING_BRACKET : COMMA;
    this.length += encoder.encodeInto(text, this.bytes.subarray(this.length)).written;
    this.count++;
  }

  /** Returns the list in a buffer of its own, which a worker thread can transfer. Nothing may be added afterwards. */
  end(): Uint8Array {
    this.reserve(2);
    if (this.count === 0) this.bytes[this.length++] = OPENING_BRACKET;
    this.bytes[this.length++] = CLOSING_BRACKET;
    return this.bytes.slice(0, this.length);
  }

  private reserve(byteCount: number): void {
    const neededBytes = this.length + byteCount;
    if (neededBytes <= this.bytes.length) return;
    const largerBuffer = new Uint8Array(Math.max(neededBytes, this.bytes.length * 2));
    largerBuffer.set(this.bytes.subarray(0, this.length));
    this.bytes = largerBuffer;
  }
}
