'use client';

import dynamic from 'next/dynamic';
import {
  createContext,
  type FocusEvent,
  type PointerEvent,
  type ReactNode,
  useCallback,
  useContext,
  useState,
} from 'react';
import { loadPart } from '../../api/load-part';
import type { ActiveTip } from './active-tooltip';

interface Tips {
  show: (element: HTMLElement, content: ReactNode) => void;
  hide: () => void;
}

const TipsContext = createContext<Tips>({ show: () => undefined, hide: () => undefined });

const ActiveTooltip = dynamic(
  () => loadPart(() => import('./active-tooltip')).then((module) => module.ActiveTooltip),
  {
    ssr: false,
  },
);

/**
 * Shows the tooltip of the element that is hovered, tapped or focused, one at a time. A list has hundreds of elements with a
 * tooltip, and Mantine's Tooltip would need several components for each. The code is loaded for the first tooltip.
 */
export function TipsProvider({ children }: { children: ReactNode }) {
  const [tip, setTip] = useState<ActiveTip | null>(null);
  const [everShown, setEverShown] = useState(false);
  const show = useCallback((element: HTMLElement, content: ReactNode) => {
    setEverShown(true);
    setTip({ element, content });
  }, []);
  const hide = useCallback(() => setTip(null), []);
  const [tips] = useState({ show, hide });
  return (
    <TipsContext value={tips}>
      {children}
      {everShown && <ActiveTooltip tip={tip} onHide={hide} />}
    </TipsContext>
  );
}

/** Returns functions that show and hide a tooltip. */
export const useTips = (): Tips => useContext(TipsContext);

/** Returns a function that returns the props of an element with a tooltip. The content is rendered only when it is shown. */
export function useTipProps() {
  const { show, hide } = useTips();
  return (content: () => ReactNode) => ({
    onPointerEnter: ({ currentTarget }: PointerEvent<HTMLElement>) => show(currentTarget, content()),
    // On touch screens, this event fires as soon as the finger is lifted.
    onPointerLeave: ({ pointerType }: PointerEvent) => pointerType !== 'touch' && hide(),
    onFocus: ({ currentTarget }: FocusEvent<HTMLElement>) =>
      currentTarget.matches(':focus-visible') && show(currentTarget, content()),
    onBlur: hide,
  });
}
