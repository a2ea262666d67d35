'use client';

import { Tooltip } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { type ReactNode, useEffect, useId, useState } from 'react';

/** The explanation that shows, and of what. */
export interface ShownTip {
  element: HTMLElement;
  content: ReactNode;
}

/** The part of TipsProvider that is loaded with the first explanation. */
export function ShowTip({ shown, onHide: hide }: { shown: ShownTip | null; onHide: () => void }) {
  const id = useId();
  // What fades out still needs its place and its text.
  const [last, setLast] = useState(shown);
  if (shown && shown !== last) setLast(shown);
  const element = shown?.element;
  useEffect(() => {
    element?.setAttribute('aria-describedby', id);
    return () => element?.removeAttribute('aria-describedby');
  }, [element, id]);
  useWindowEvent('keydown', ({ key }) => key === 'Escape' && hide());
  // A row that goes away is not left by the pointer.
  useWindowEvent('pointermove', () => element?.isConnected === false && hide());
  useWindowEvent('pointerdown', ({ target }) => {
    if (!(target instanceof Node && element?.contains(target))) hide();
  });
  if (!last) return null;
  return (
    <Tooltip
      target={last.element}
      opened={shown !== null}
      multiline
      label={<span id={id}>{last.content}</span>}
    />
  );
}
