import { createReason } from '../errors/reason';
import { refusedFileError } from './archive';
import { decodeEscapes } from './cells';

/** The maximum length of a cell's text: Excel's limit, since ECMA-376 sets none. */
export const MAX_TEXT_LENGTH = 32_767;

export const UNREADABLE = createReason('file.unreadable');

/** Collects the text of `t` elements, without phonetic hints (`rPh`). */
export class TextRuns {
  #text = '';
  #isInText = false;
  #phoneticDepth = 0;

  open(name: string): void {
    if (name === 't') this.#isInText = true;
    else if (name === 'rPh') this.#phoneticDepth++;
  }

  close(name: string): void {
    if (name === 't') this.#isInText = false;
    else if (name === 'rPh') this.#phoneticDepth--;
  }

  add(text: string): void {
    if (!this.#isInText || this.#phoneticDepth > 0) return;
    this.#text += text;
    if (this.#text.length > MAX_TEXT_LENGTH * 8) throw refusedFileError(UNREADABLE);
  }

  /** Returns the collected text and clears it. */
  takeText(): string {
    const text = decodeEscapes(this.#text);
    this.#text = '';
    if (text.length > MAX_TEXT_LENGTH) throw refusedFileError(UNREADABLE);
    return text;
  }
}
