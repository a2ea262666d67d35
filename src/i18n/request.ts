import { cookies, headers } from 'next/headers';
import { getRequestConfig } from 'next-intl/server';
import { chooseLocale, LOCALE_COOKIE } from './locale';
import { type Area, loadMessages, MESSAGES } from './messages';

/** The time zone of the shops' days; readers elsewhere also see their own. */
const TIME_ZONE = 'America/New_York';

export default getRequestConfig(async () => {
  const locale = chooseLocale(
    (await cookies()).get(LOCALE_COOKIE)?.value,
    (await headers()).get('accept-language'),
  );
  return {
    locale,
    timeZone: TIME_ZONE,
    messages: await loadMessages(locale, Object.keys(MESSAGES) as Area[]),
  };
});
