'use client';

import { Popover } from '@mantine/core';
import type { Dropdown } from './dropdown-button';
import type { PopoverProps } from './popover';
import { Target } from './target';
import { useOpenedAfterMount } from './use-opened-after-mount';

/** The part of PopoverButton that is loaded when it is needed. */
export function OpenedPopover(props: PopoverProps & Dropdown) {
  const { id, target, onChange, label, position = 'bottom-end', width, children } = props;
  return (
    <Popover
      id={id}
      opened={useOpenedAfterMount(props.opened)}
      onChange={onChange}
      position={position}
      trapFocus
      returnFocus
      {...(width === undefined ? {} : { width })}
    >
      <Popover.Target>
        <Target element={target} />
      </Popover.Target>
      <Popover.Dropdown {...(label === undefined ? {} : { 'aria-label': label })}>
        {children(() => onChange(false))}
      </Popover.Dropdown>
    </Popover>
  );
}
