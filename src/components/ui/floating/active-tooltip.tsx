'use client';

import { Tooltip } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { type ReactNode, useEffect, useId, useState } from 'react';

/** The tooltip that is shown, and its element. */
export interface ShownTooltip {
  element: HTMLElement;
  content: ReactNode;
}

/** The part of TooltipProvider that is loaded for the first tooltip. */
export function ActiveTooltip({
  tooltip,
  onHide: hide,
}: {
  tooltip: ShownTooltip | null;
  onHide: () => void;
}) {
  const id = useId();
  // While the tooltip fades out, it still needs its position and content.
  const [lastTooltip, setLastTooltip] = useState(tooltip);
  if (tooltip && tooltip !== lastTooltip) setLastTooltip(tooltip);
  const element = tooltip?.element;
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
  if (!lastTooltip) return null;
  return (
    <Tooltip
      target={lastTooltip.element}
      opened={tooltip !== null}
      multiline
      label={<span id={id}>{lastTooltip.content}</span>}
    />
  );
}
