import { notifications } from '@mantine/notifications';

let shownId: string | null = null;

/** Hides the notice, because a call of the page was not refused. */
export function hideSessionNotice(): void {
  if (shownId) notifications.hide(shownId);
  shownId = null;
}

/**
 * Shows that the user of the page is signed out, or that somebody else is signed in. Leaves the page as it is, so that unsaved
 * input is not lost.
 */
export function showSessionNotice(
  code: string,
  { title, message }: { title: string; message: string },
  prefix: string,
  signIn: string,
): void {
  if (shownId !== code) hideSessionNotice();
  shownId = code;
  notifications.show({
    id: code,
    color: 'red',
    autoClose: false,
    title,
    message: (
      <>
        <div>{message}</div>
        {code === 'unauthorized' && (
          <a href={`${prefix}/sign-in`} target="_blank" rel="noreferrer">
            {signIn}
          </a>
        )}
      </>
    ),
  });
}
