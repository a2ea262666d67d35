import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';

/** Long enough to read it and to reach the button. */
const SHOWN_MS = 10_000;

let shownToastId = '';

/** Says what was done, with a button that undoes it. Replaces the previous one: U undoes earlier actions too. */
export function showUndoToast(text: string, undoLabel: string, onUndo: () => void): void {
  hideUndoToast();
  shownToastId = notifications.show({
    // A region of the page announces what was done, so the toast is not announced as an alert.
    role: 'group',
    'aria-label': text,
    color: 'green',
    autoClose: SHOWN_MS,
    message: (
      <Group gap="sm" justify="space-between" wrap="nowrap">
        <span>{text}</span>
        <Button
          variant="subtle"
          size="compact-sm"
          onClick={() => {
            hideUndoToast();
            onUndo();
          }}
        >
          {undoLabel}
        </Button>
      </Group>
    ),
  });
}

export function hideUndoToast(): void {
  notifications.hide(shownToastId);
}
