import { because } from '../errors/reason';
import { refusal } from './archive';
import { unescaped } from './cells';

/** The longest text of a cell (ECMA-376 leaves it open; this is Excel's limit). */
export const MAX_TEXT_LENGTH = 32_767;

export const UNREADABLE = because('file.unreadable');

/** Collects the text of `t` elements, without the pronunciation (`rPh`). */
export class TextRuns {
  #text = '';
  #reading = false;
  #spoken = 0;

  open(name: string): void {
    if (name === 't') this.#reading = true;
    else if (name === 'rPh') this.#spoken++;
  }

  close(name: string): void {
    if (name === 't') this.#reading = false;
    else if (name === 'rPh') this.#spoken--;
  }

  add(text: string): void {
    if (!this.#reading || this.#spoken > 0) return;
    this.#text += text;
    if (this.#text.length > MAX_TEXT_LENGTH * 8) throw refusal(UNREADABLE);
  }

  /** Returns the text and clears it for the next. */
  take(): string {
    const text = unescaped(this.#text);
    this.#text = '';
    if (text.length > MAX_TEXT_LENGTH) throw refusal(UNREADABLE);
    return text;
  }
}
