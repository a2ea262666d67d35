'use client';

import { TextInput, type TextInputProps } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { ListUrl } from '../list-url';
import { isDay } from './day-range';

/**
 * Keeps the days that a filter shows. The URL changes with a delay: if two days are entered quickly, the second one must not restore
 * the old value of the first.
 */
export function useShownDays(
  { from, to }: { from: string; to: string },
  isBehind: ListUrl['isBehind'],
): [days: { from: string; to: string }, setDays: (days: { from: string; to: string }) => void] {
  const [days, setDays] = useState({ from, to });
  const isOld = isBehind();
  useEffect(() => {
    if (!isOld) setDays({ from, to });
  }, [from, to, isOld]);
  return [days, setDays];
}

interface Props extends Pick<TextInputProps, 'label' | 'aria-label' | 'title' | 'min' | 'max' | 'required'> {
  /** Empty if no day is chosen. */
  day: string;
  onChange: (day: string) => void;
}

/**
 * The field for a day of a range. Ignores input that is not yet a valid day, such as one whose year is only partly typed, and leaves
 * it in the field, so that the rest can be typed. Unless it is required, it can be emptied.
 */
export function DayInput({ day, onChange, required = false, ...inputProps }: Props) {
  const [text, setText] = useState(day);
  useEffect(() => setText(day), [day]);
  return (
    <TextInput
      {...inputProps}
      type="date"
      required={required}
      value={text}
      onChange={({ currentTarget: { value } }) => {
        setText(value);
        if (isDay(value) || (value === '' && !required)) onChange(value);
      }}
      onBlur={() => setText(day)}
    />
  );
}
