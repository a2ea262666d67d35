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
import type { ShownTip } from './shown-tip';

interface Tips {
  show: (element: HTMLElement, content: ReactNode) => void;
  hide: () => void;
}

const TipsContext = createContext<Tips>({ show: () => undefined, hide: () => undefined });

const ShowTip = dynamic(() => loadPart(() => import('./shown-tip')).then((module) => module.ShowTip), {
  ssr: false,
});

/**
 * Shows explanations of what is hovered, tapped or focused: one at a time, by a program that is loaded for the first of them. A
 * list has hundreds of elements with an explanation, and each would take several of Mantine's components.
 */
export function TipsProvider({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<ShownTip | null>(null);
  const [wanted, setWanted] = useState(false);
  const show = useCallback((element: HTMLElement, content: ReactNode) => {
    setWanted(true);
    setShown({ element, content });
  }, []);
  const hide = useCallback(() => setShown(null), []);
  const [tips] = useState({ show, hide });
  return (
    <TipsContext value={tips}>
      {children}
      {wanted && <ShowTip shown={shown} onHide={hide} />}
    </TipsContext>
  );
}

/** Shows and hides an explanation. */
export const useTips = (): Tips => useContext(TipsContext);

/** Returns the properties of an element with an explanation, which is made only when it shows. */
export function useTip() {
  const { show, hide } = useTips();
  return (content: () => ReactNode) => ({
    onPointerEnter: ({ currentTarget }: PointerEvent<HTMLElement>) => show(currentTarget, content()),
    // A finger leaves as soon as it is lifted.
    onPointerLeave: ({ pointerType }: PointerEvent) => pointerType !== 'touch' && hide(),
    onFocus: ({ currentTarget }: FocusEvent<HTMLElement>) =>
      currentTarget.matches(':focus-visible') && show(currentTarget, content()),
    onBlur: hide,
  });
}
