'use client';

import { type ComponentProps, useState } from 'react';

/**
 * The element of every button. Mantine disables a button while it is loading, and a disabled button loses the focus: the next Tab
 * would start at the top of the page, even behind a dialog. This one ignores clicks instead, also if it stays disabled afterwards.
 */
export function FocusableButton({
  disabled = false,
  type = 'button',
  onClick,
  ...props
}: ComponentProps<'button'> & { 'data-loading'?: boolean }) {
  const isBusy = props['data-loading'] === true;
  const [wasBusy, setWasBusy] = useState(isBusy);
  const isFocusable = isBusy || (wasBusy && disabled);
  if (isFocusable !== wasBusy) setWasBusy(isFocusable);
  return (
    <button
      {...props}
      type={type}
      disabled={disabled && !isFocusable}
      aria-disabled={isFocusable || undefined}
      onClick={isFocusable ? (event) => event.preventDefault() : onClick}
    />
  );
}
