import type { Locale } from '../core/locales';
import { escapeHtml, pageHtml } from '../http/pages/plain-page';

/** Why a user cannot continue, unless it is because the client sent an invalid request. */
type CannotContinueReason = 'expired' | 'second_factor' | 'server';

const TEXTS = {
  en: {
    title: 'This sign-in cannot continue',
    expired:
      'The request has expired or was started in another browser. Go back to the app and sign in from there again.',
    second_factor: 'Set up two-factor sign-in first, then sign in from the app again.',
    server: 'Something went wrong. Try again in a moment.',
    client: 'The app that sent you here made an invalid request. Give its administrator this reason:',
    open: 'Open Brickdesk',
  },
  zh: {
    title: '无法继续登录',
    expired: '登录请求已失效，或是在另一个浏览器中发起的。请返回该应用重新登录。',
    second_factor: '请先设置两步验证，然后从该应用重新登录。',
    server: '服务器出错，请稍后再试。',
    client: '您所用的应用发出了无效的请求，请将以下原因告知其管理员：',
    open: '打开 Brickdesk',
  },
} as const;

/** Renders a page that says why a user cannot continue, with a link to the back office. */
export function renderCannotContinuePage(
  locale: Locale,
  reason: CannotContinueReason,
  adminPrefix: string,
): string {
  const texts = TEXTS[locale];
  return pageHtml(
    locale,
    texts.title,
    `<p>${escapeHtml(texts[reason])}</p>\n<p><a href="${escapeHtml(adminPrefix)}">${escapeHtml(texts.open)}</a></p>`,
  );
}

/** Renders a page for an invalid request from a client, with the protocol's error and description. */
export function renderClientErrorPage(
  locale: Locale,
  error: string,
  description: string | undefined,
): string {
  const texts = TEXTS[locale];
  const reason = description === undefined ? error : `${error}: ${description}`;
  return pageHtml(
    locale,
    texts.title,
    `<p>${escapeHtml(texts.client)}</p>\n<p class="dim">${escapeHtml(reason)}</p>`,
  );
}
