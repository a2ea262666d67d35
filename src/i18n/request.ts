import { cookies, headers } from 'next/headers';
import { getRequestConfig } from 'next-intl/server';
import { NEW_YORK } from '../server/core/time';
import { chooseLocale, LOCALE_COOKIE } from './locale';
import { type Area, loadMessages, MESSAGE_LOADERS } from './messages';

export default getRequestConfig(async () => {
  const locale = chooseLocale(
    (await cookies()).get(LOCALE_COOKIE)?.value,
    (await headers()).get('accept-language'),
  );
  return {
    locale,
    // The default; the time zone of a signed-in user replaces it.
    timeZone: NEW_YORK,
    messages: await loadMessages(locale, Object.keys(MESSAGE_LOADERS) as Area[]),
  };
});
