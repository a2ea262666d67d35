'use client';

import { Tooltip } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { type ReactNode, useEffect, useId, useState } from 'react';

/** The tooltip that is shown, and its element. */
export interface ActiveTip {
  element: HTMLElement;
  content: ReactNode;
}

/** The part of TipsProvider that is loaded for the first tooltip. */
export function ActiveTooltip({ tip, onHide: hide }: { tip: ActiveTip | null; onHide: () => void }) {
  const id = useId();
  // While the tooltip fades out, it still needs its position and content.
  const [lastTip, setLastTip] = useState(tip);
  if (tip && tip !== lastTip) setLastTip(tip);
  const element = tip?.element;
  useEffect(() => {
    element?.setAttribute('aria-describedby', id);
    return () => element?.removeAttribute('aria-describedby');
  }, [element, id]);
  useWindowEvent('keydown', ({ key }) => key === 'Escape' && hide());
  // A removed element gets no pointerleave event.
  useWindowEvent('pointermove', () => element?.isConnected === false && hide());
  useWindowEvent('pointerdown', ({ target }) => {
    if (!(target instanceof Node && element?.contains(target))) hide();
  });
  if (!lastTip) return null;
  return (
    <Tooltip
      target={lastTip.element}
      opened={tip !== null}
      multiline
      label={<span id={id}>{lastTip.content}</span>}
    />
  );
}
