'use client';

import { Tooltip } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { useEffect, useId, useState } from 'react';
import { type ShownTip, useTips } from './tip';

/** The part of TipsProvider that is loaded with the first explanation. */
export function ShowTip({ shown }: { shown: ShownTip | null }) {
  const { hide } = useTips();
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
