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
import { useEverOpened } from './use-opened-after-mount';

/** The state of a dropdown, for the component that renders it. */
export interface Dropdown {
  /** The id of the button, from which the dropdown's id is derived. */
  id: string;
  target: HTMLElement;
  opened: boolean;
  onChange: (opened: boolean) => void;
}

type Button = ReactElement<ButtonHTMLAttributes<HTMLButtonElement> & { ref?: Ref<HTMLButtonElement> }>;

export interface DropdownProps {
  /** The button that opens the dropdown. */
  button: ReactElement;
  /** Controls the dropdown, if something other than the button can open it too, such as a key. */
  opened?: boolean;
  onChange?: (opened: boolean) => void;
}

/**
 * A button that opens a dropdown below it. The code of the dropdown is loaded when the button is hovered or focused; a click before
 * it is loaded is not lost. The button itself is never replaced, so it keeps the focus.
 * @param loadDropdown starts loading the dropdown; may be called often
 * @param children renders the dropdown, once it has first been opened
 */
export function DropdownButton({
  kind,
  button,
  loadDropdown,
  children,
  ...controlProps
}: DropdownProps & {
  kind: 'menu' | 'dialog';
  loadDropdown: () => unknown;
  children: (dropdown: Dropdown) => ReactNode;
}) {
  const id = useId();
  const [target, setTarget] = useState<HTMLElement | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const opened = controlProps.opened ?? isOpen;
  const wasEverOpened = useEverOpened(opened);
  const setOpened = (newOpened: boolean) => {
    setIsOpen(newOpened);
    controlProps.onChange?.(newOpened);
  };
  return (
    <>
      {cloneElement(button as Button, {
        ref: setTarget,
        id,
        'aria-haspopup': kind,
        'aria-expanded': opened,
        'aria-controls': opened ? `${id}-dropdown` : undefined,
        onClick: () => setOpened(!opened),
        onPointerEnter: loadDropdown as () => void,
        onFocus: loadDropdown as () => void,
      })}
      {wasEverOpened && target && children({ id, target, opened, onChange: setOpened })}
    </>
  );
}
