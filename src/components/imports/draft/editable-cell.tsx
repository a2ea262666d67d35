'use client';

import { Loader, TextInput } from '@mantine/core';
import { useState } from 'react';
import styles from '../imports.module.css';

interface Props {
  label: string;
  /** The id of the element that says what is wrong. */
  reasonId: string;
  value: string;
  /** Whether the value is rejected, rather than only suspicious. */
  isRejected?: boolean;
  onFix: (value: string) => Promise<void>;
}

/** An editable bad or suspicious cell. Enter saves the new text and checks the file again; Escape restores the old text. */
export function EditableCell({ label, reasonId, value, isRejected = false, onFix }: Props) {
  const [text, setText] = useState(value);
  const [busy, setBusy] = useState(false);
  const fixCell = async () => {
    setBusy(true);
    try {
      await onFix(text);
    } finally {
      setBusy(false);
    }
  };
  return (
    <TextInput
      data-fix
      size="xs"
      className={styles.cell}
      aria-label={label}
      aria-describedby={reasonId}
      error={isRejected && text === value}
      value={text}
      readOnly={busy}
      autoComplete="off"
      spellCheck={false}
      rightSection={busy ? <Loader size={14} /> : null}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onKeyDown={({ key }) => {
        if (key === 'Escape') setText(value);
        if (key === 'Enter' && !busy && text !== value) void fixCell();
      }}
    />
  );
}
