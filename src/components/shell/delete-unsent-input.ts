import { UNSENT_REPLY_PREFIX } from '../messages/order-reply/unsent-reply';

/** The prefix of our keys in the browser's storage. */
const KEY_PREFIX = 'brickdesk.';

function removeKeys(storage: Storage, prefix: string): void {
  for (const key of Object.keys(storage)) if (key.startsWith(prefix)) storage.removeItem(key);
}

/**
 * Deletes a user's unsent input: their replies in this browser, and the form input of this tab. Preferences such as a list's
 * columns stay.
 */
export function deleteUnsentInput(email: string): void {
  removeKeys(window.localStorage, `${UNSENT_REPLY_PREFIX}${email}.`);
  removeKeys(window.sessionStorage, KEY_PREFIX);
}
