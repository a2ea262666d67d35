'use client';

import { Loader, TextInput } from '@mantine/core';
import { useState } from 'react';
import styles from './imports.module.css';

interface Props {
  label: string;
  /** Says what is wrong with it. */
  reasonId: string;
  value: string;
  onFix: (value: string) => Promise<void>;
}

/** A bad cell in its place: Enter puts the new text in and checks the file again, Escape brings the old one back. */
export function FixCell({ label, reasonId, value, onFix }: Props) {
  const [text, setText] = useState(value);
  const [busy, setBusy] = useState(false);
  const fix = async () => {
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
      error={text === value}
      value={text}
      readOnly={busy}
      autoComplete="off"
      spellCheck={false}
      rightSection={busy ? <Loader size={14} /> : null}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onKeyDown={({ key }) => {
        if (key === 'Escape') setText(value);
        if (key === 'Enter' && !busy && text !== value) void fix();
      }}
    />
  );
}
