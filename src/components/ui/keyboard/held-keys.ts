import { useLayoutEffect } from 'react';
import { readConnection } from '../../api/connection';

/** The text typed since a dialog began to open; null if none is opening. */
let heldText: string | null = null;

function holdKey(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, altKey, isComposing } = event;
  if (heldText === null || isComposing || ctrlKey || metaKey || altKey) return;
  // A dialog whose code the service no longer has will never take the focus.
  if (key === 'Escape' || readConnection() === 'outdated') {
    releaseKeys();
    return;
  }
  if (key === 'Backspace') heldText = heldText.slice(0, -1);
  else if (key.length === 1) heldText += key;
  else if (key !== 'Enter') return;
  event.preventDefault();
  event.stopPropagation();
}

function giveKeysToField({ target }: FocusEvent): void {
  if (!(target as Element).closest('[role=dialog]')) return;
  const text = heldText;
  releaseKeys();
  if (!text || !(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return;
  // Types the text as the user would have, so that React notices it and the browser can undo it.
  document.execCommand('insertText', false, text);
}

/** Ends what `holdKeys` began. */
function releaseKeys(): void {
  heldText = null;
  window.removeEventListener('keydown', holdKey, true);
  window.removeEventListener('focusin', giveKeysToField);
  window.removeEventListener('pointerdown', releaseKeys, true);
}

/**
 * Call it when a dialog begins to open. Its code may have to be loaded, and until it has the focus, what the user types for it would
 * act as shortcuts of the page behind it. The text goes to the field that the dialog focuses; it is dropped if the dialog focuses
 * something else, the user presses Esc or the mouse button, or the service no longer has the dialog's code.
 */
export function holdKeys(): void {
  if (heldText !== null || document.activeElement?.closest('[role=dialog]')) return;
  heldText = '';
  window.addEventListener('keydown', holdKey, true);
  window.addEventListener('focusin', giveKeysToField);
  window.addEventListener('pointerdown', releaseKeys, true);
}

/** Holds the keys while a dialog opens. */
export function useHeldKeys(opened: boolean): void {
  // A layout effect, so that it runs before the browser can deliver the next key.
  useLayoutEffect(() => {
    if (!opened) return;
    holdKeys();
    return releaseKeys;
  }, [opened]);
}
