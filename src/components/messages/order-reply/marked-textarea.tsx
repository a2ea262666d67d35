'use client';

import { Input } from '@mantine/core';
import { useId } from '@mantine/hooks';
import styles from '../messages.module.css';
import { markParts } from './marked-text';

interface Props {
  label: string;
  description: string;
  value: string;
  /** The values to mark wherever the text contains them. */
  markedValues: readonly string[];
  readOnly: boolean;
  onChange: (value: string) => void;
}

/**
 * A text field that marks values while the text is edited. A copy of the text lies behind the field; it has the marks, and makes
 * the field as high as its text.
 */
export function MarkedTextarea({ label, description, value, markedValues, readOnly, onChange }: Props) {
  const id = useId();
  return (
    <Input.Wrapper
      id={id}
      label={label}
      description={description}
      descriptionProps={{ id: `${id}-description` }}
    >
      <div className={styles.field}>
        <div className={styles.backdrop} aria-hidden>
          {markParts(value, markedValues).map(
            ({ text, isMarked }, index) =>
              // biome-ignore-start lint/suspicious/noArrayIndexKey: parts are identified by their position
              isMarked ? <mark key={index}>{text}</mark> : <span key={index}>{text}</span>,
            // biome-ignore-end lint/suspicious/noArrayIndexKey: as above
          )}
          {/* Gives an empty last line its height. */}
          {'\u200b'}
        </div>
        <textarea
          id={id}
          aria-describedby={`${id}-description`}
          className={styles.input}
          value={value}
          readOnly={readOnly}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      </div>
    </Input.Wrapper>
  );
}
