'use client';

import { Loader, TextInput } from '@mantine/core';
import { useEffect, useEffectEvent, useState } from 'react';
import styles from '../imports.module.css';
import type { CellFocus } from './use-cell-fixes';

interface Props {
  label: string;
  /** The id of the element that says what is wrong. */
  reasonId: string;
  value: string;
  /** Whether the value is rejected, rather than only suspicious. */
  isRejected?: boolean;
  /** Saves the text. Returns whether it was saved. @param focus null if the cell has left the page */
  onFix: (value: string, focus: CellFocus | null) => Promise<boolean>;
}

/**
 * An editable bad or suspicious cell. Enter saves the new text and checks the file again; so does leaving the cell. Escape restores
 * the old text.
 */
export function EditableCell({ label, reasonId, value, isRejected = false, onFix }: Props) {
  const [text, setText] = useState(value);
  const [savedText, setSavedText] = useState(value);
  const [busy, setBusy] = useState(false);
  const isChanged = text !== savedText;
  const fixCell = async (focus: CellFocus | null) => {
    if (busy || !isChanged) return;
    setBusy(true);
    try {
      if (await onFix(text, focus)) setSavedText(text);
    } finally {
      setBusy(false);
    }
  };
  // The browser's Back button takes the cell off the page without a blur event.
  const fixRemovedCell = useEffectEvent(() => void fixCell(null));
  useEffect(() => () => fixRemovedCell(), []);
  useEffect(() => {
    if (!isChanged) return;
    const askBeforeUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', askBeforeUnload);
    return () => window.removeEventListener('beforeunload', askBeforeUnload);
  }, [isChanged]);
  return (
    <TextInput
      data-fix
      data-unsaved={isChanged || undefined}
      size="xs"
      className={styles.cell}
      aria-label={label}
      aria-describedby={reasonId}
      error={isRejected}
      value={text}
      readOnly={busy}
      autoComplete="off"
      spellCheck={false}
      rightSection={busy ? <Loader size={14} /> : null}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onBlur={({ currentTarget, relatedTarget }) => {
        // A blur event also comes when the user switches to another window or tab; the cell then stays the active element.
        if (document.activeElement === currentTarget) return;
        void fixCell({ input: currentTarget, next: relatedTarget });
      }}
      onKeyDown={({ key, currentTarget, nativeEvent }) => {
        // These keys only end the input of a Chinese word.
        if (nativeEvent.isComposing) return;
        if (key === 'Escape' && !busy) setText(savedText);
        if (key === 'Enter') void fixCell({ input: currentTarget, next: currentTarget });
      }}
    />
  );
}
