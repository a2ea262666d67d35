import { cookies, headers } from 'next/headers';
import { getRequestConfig } from 'next-intl/server';
import { findUser } from '../app/session';
import { NEW_YORK } from '../server/core/time';
import { chooseLocale, LOCALE_COOKIE } from './locale';
import { loadMessages, MESSAGE_LOADERS, type Namespace } from './messages';

export default getRequestConfig(async () => {
  const browserChoice = (await cookies()).get(LOCALE_COOKIE)?.value;
  // If this fails, so does a page that needs the user, and the server logs why; its error page is in the browser's language.
  const user = browserChoice === undefined ? await findUser().catch(() => null) : null;
  const locale = chooseLocale(browserChoice ?? user?.locale, (await headers()).get('accept-language'));
  return {
    locale,
    // The default; the time zone of a signed-in user replaces it.
    timeZone: NEW_YORK,
    messages: await loadMessages(locale, Object.keys(MESSAGE_LOADERS) as Namespace[]),
  };
});
