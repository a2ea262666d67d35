'use client';

import {
  type ButtonHTMLAttributes,
  cloneElement,
  type ReactElement,
  type ReactNode,
  type Ref,
  useId,
  useState,
} from 'react';
import { useEverOpened } from './use-opened';

/** What shows below a button: by whom it is opened, and what its program needs of the button. */
export interface Dropdown {
  /** Of the button; that of the dropdown is derived from it. */
  id: string;
  target: HTMLElement;
  opened: boolean;
  onChange: (opened: boolean) => void;
}

type Button = ReactElement<ButtonHTMLAttributes<HTMLButtonElement> & { ref?: Ref<HTMLButtonElement> }>;

export interface DropdownProps {
  /** What opens it. */
  button: ReactElement;
  /** For a dropdown that something else opens too, such as a key. */
  opened?: boolean;
  onChange?: (opened: boolean) => void;
}

/**
 * A button with something that opens below it. The program of what opens is loaded when the button is pointed at or focused, and
 * shows when it is there: a click before that is not lost. The button itself never changes, so it keeps the focus meanwhile.
 *
 * @param load starts to load what opens; may be called often
 * @param children what opens, from the first time on
 */
export function DropdownButton({
  kind,
  button,
  load,
  children,
  ...control
}: DropdownProps & {
  kind: 'menu' | 'dialog';
  load: () => unknown;
  children: (dropdown: Dropdown) => ReactNode;
}) {
  const id = useId();
  const [target, setTarget] = useState<HTMLElement | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const opened = control.opened ?? isOpen;
  const wanted = useEverOpened(opened);
  const change = (next: boolean) => {
    setIsOpen(next);
    control.onChange?.(next);
  };
  return (
    <>
      {cloneElement(button as Button, {
        ref: setTarget,
        id,
        'aria-haspopup': kind,
        'aria-expanded': opened,
        'aria-controls': opened ? `${id}-dropdown` : undefined,
        onClick: () => change(!opened),
        onPointerEnter: load as () => void,
        onFocus: load as () => void,
      })}
      {wanted && target && children({ id, target, opened, onChange: change })}
    </>
  );
}
