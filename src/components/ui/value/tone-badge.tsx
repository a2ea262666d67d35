'use client';

import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';

/**
 * What a colour means, on every page: `waiting` for somebody else or over, `due` for us to do, `labelled` with a label, `moving`
 * on its way, `done`, and `urgent` where something goes wrong unless somebody acts.
 */
export const TONES = {
  waiting: 'gray',
  due: 'yellow',
  labelled: 'violet',
  moving: 'blue',
  done: 'green',
  urgent: 'red',
} as const;

export type Tone = keyof typeof TONES;

/** A short text or a number whose colour has one of the six meanings. */
export function ToneBadge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <Badge color={TONES[tone]} className="figures">
      {children}
    </Badge>
  );
}
