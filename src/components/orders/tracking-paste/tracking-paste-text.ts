import { useEffect, useRef, useState } from 'react';
import { MAX_CSV_BYTES } from '../../../server/core/text/csv-limit';
import { useBackOffice } from '../../shell/back-office';
import { openFormDraft } from '../../ui/form/form-draft';
import { carryOverLineNumbers, type LineNumbers } from './line-numbers';
import { type PastedRow, remainingRowsOf, textOfRows } from './tracking-paste';

interface Paste {
  text: string;
  /** The lines of the text by their numbers in the original paste; null if they are numbered as in the text. */
  lineNumbers: LineNumbers | null;
}

const EMPTY_PASTE: Paste = { text: '', lineNumbers: null };

/** Keeps the pasted text in this tab until its rows are added, the text is cleared or the user signs out. */
export function usePastedText() {
  const { user } = useBackOffice();
  const draft = openFormDraft(`${user.email}.tracking paste`);
  const [paste, setPaste] = useState(EMPTY_PASTE);
  // The latest paste, also after the user has left the page while rows were being added.
  const latestPaste = useRef(EMPTY_PASTE);
  const show = (newPaste: Paste) => {
    latestPaste.current = newPaste;
    setPaste(newPaste);
  };
  const change = (newPaste: Paste) => {
    show(newPaste);
    const isStored = newPaste.text !== '' && newPaste.text.length <= MAX_CSV_BYTES;
    draft.write(isStored ? { ...newPaste } : {});
  };
  // Not in the first render, which must match the server's.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page appears
  useEffect(() => {
    const { typed } = draft.read({ ...EMPTY_PASTE }, []);
    if (typeof typed.text === 'string') show({ ...EMPTY_PASTE, ...typed });
  }, []);
  return {
    ...paste,
    /** Shows a text that the user has edited. */
    editText: (text: string) => {
      const { text: oldText, lineNumbers } = latestPaste.current;
      change({ text, lineNumbers: lineNumbers && carryOverLineNumbers(oldText, lineNumbers, text) });
    },
    /** Shows another text. */
    replaceText: (text: string) => change({ text, lineNumbers: null }),
    /** Removes rows that have been added. */
    removeRows: (savedRows: readonly PastedRow[]) => {
      const { text, lineNumbers } = latestPaste.current;
      const rows = remainingRowsOf(text, savedRows);
      change({
        text: textOfRows(rows),
        lineNumbers:
          rows.length === 0 ? null : rows.map(({ line }) => (lineNumbers ? lineNumbers[line - 1]! : line)),
      });
    },
  };
}
