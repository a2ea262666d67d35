'use client';

import {
  createContext,
  type FocusEvent,
  type PointerEvent,
  type ReactNode,
  useCallback,
  useContext,
  useState,
} from 'react';
import { onDemand } from '../../api/on-demand';
import type { ShownTooltip } from './active-tooltip';

interface TooltipControls {
  show: (element: HTMLElement, content: ReactNode) => void;
  hide: () => void;
}

const TooltipContext = createContext<TooltipControls>({ show: () => undefined, hide: () => undefined });

const ActiveTooltip = onDemand(() => import('./active-tooltip').then((module) => module.ActiveTooltip));

/**
 * Shows the tooltip of the element that is hovered, tapped or focused, one at a time. A list has hundreds of elements with a
 * tooltip, and Mantine's Tooltip would need several components for each. The code is loaded for the first tooltip.
 */
export function TooltipProvider({ children }: { children: ReactNode }) {
  const [tooltip, setTooltip] = useState<ShownTooltip | null>(null);
  const [wasEverShown, setWasEverShown] = useState(false);
  const show = useCallback((element: HTMLElement, content: ReactNode) => {
    setWasEverShown(true);
    setTooltip({ element, content });
  }, []);
  const hide = useCallback(() => setTooltip(null), []);
  const [controls] = useState({ show, hide });
  return (
    <TooltipContext value={controls}>
      {children}
      {wasEverShown && <ActiveTooltip tooltip={tooltip} onHide={hide} />}
    </TooltipContext>
  );
}

/** Returns functions that show and hide a tooltip. */
export const useTooltip = (): TooltipControls => useContext(TooltipContext);

/** Returns a function that returns the props of an element with a tooltip. The content is rendered only when it is shown. */
export function useTooltipProps() {
  const { show, hide } = useTooltip();
  return (content: () => ReactNode) => ({
    onPointerEnter: ({ currentTarget }: PointerEvent<HTMLElement>) => show(currentTarget, content()),
    // On touch screens, this event fires as soon as the finger is lifted.
    onPointerLeave: ({ pointerType }: PointerEvent) => pointerType !== 'touch' && hide(),
    onFocus: ({ currentTarget }: FocusEvent<HTMLElement>) =>
      currentTarget.matches(':focus-visible') && show(currentTarget, content()),
    onBlur: hide,
  });
}
