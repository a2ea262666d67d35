import type { Locale } from '../core/locales';
import { escapeHtml, pageHtml } from '../http/pages/plain-page';

/** The contents of the consent page. */
export interface ConsentPage {
  locale: Locale;
  clientName: string;
  user: { name: string; email: string };
  scopes: readonly string[];
  redirectUri: string;
  /** The path that the form posts to when the user allows access. */
  confirmPath: string;
  abortPath: string;
  /** The CSRF token. */
  token: string;
}

const TEXTS = {
  en: {
    title: (client: string) => `${client} wants to use your Brickdesk account`,
    signedInAs: 'Signed in as',
    accessIntro: 'It will be able to:',
    scopes: {
      openid: 'recognise you by an ID that does not change',
      profile: 'see your name and your language',
      email: 'see your e-mail address',
      'user:read': 'read your Brickdesk profile: name, e-mail address, role and language',
    },
    destination: 'You will be taken to',
    sentenceEnd: '. ',
    disconnectHint: 'You can disconnect it at any time under Account & security.',
    allow: 'Allow',
    cancel: 'Cancel',
    signInAgainTitle: 'Sign in again',
    signInAgain: (client: string) => `${client} asks you to sign in again to confirm that it is you.`,
    signInAgainButton: 'Sign in again',
  },
  zh: {
    title: (client: string) => `“${client}”想要使用您的 Brickdesk 账号`,
    signedInAs: '当前登录：',
    accessIntro: '该应用将可以：',
    scopes: {
      openid: '通过固定编号识别您的身份',
      profile: '查看您的姓名和语言',
      email: '查看您的电子邮箱地址',
      'user:read': '读取您的 Brickdesk 用户信息：姓名、电子邮箱、角色和语言',
    },
    destination: '接下来将前往',
    sentenceEnd: '。',
    disconnectHint: '您可以随时在“账号与安全”中取消此授权。',
    allow: '允许',
    cancel: '取消',
    signInAgainTitle: '请重新登录',
    signInAgain: (client: string) => `“${client}”要求您再次登录，以确认是您本人。`,
    signInAgainButton: '重新登录',
  },
} as const;

const hasText = (scope: string): scope is keyof (typeof TEXTS)['en']['scopes'] => scope in TEXTS.en.scopes;

/** Returns the part of a redirect URI that people recognise: its host, or the scheme if it has none. */
function destinationOf(redirectUri: string): string {
  const { host, protocol } = new URL(redirectUri);
  return host === '' ? protocol : host;
}

/** Renders the page that asks a user whether to allow the access that a client requests. */
export function renderConsentPage(page: ConsentPage): string {
  const texts = TEXTS[page.locale];
  const { name, email } = page.user;
  const items = page.scopes.filter(hasText).map((scope) => `<li>${escapeHtml(texts.scopes[scope])}</li>`);
  return pageHtml(
    page.locale,
    texts.title(page.clientName),
    `<p class="dim">${escapeHtml(texts.signedInAs)} <strong>${escapeHtml(name)}</strong> (${escapeHtml(email)})</p>
<p>${escapeHtml(texts.accessIntro)}</p>
<ul>
${items.join('\n')}
</ul>
<p class="dim">${escapeHtml(texts.destination)} <strong>${escapeHtml(destinationOf(page.redirectUri))}</strong>${texts.sentenceEnd}${escapeHtml(texts.disconnectHint)}</p>
<form method="post" action="${escapeHtml(page.confirmPath)}">
<input type="hidden" name="token" value="${escapeHtml(page.token)}">
<button class="primary" type="submit">${escapeHtml(texts.allow)}</button>
<button type="submit" formaction="${escapeHtml(page.abortPath)}">${escapeHtml(texts.cancel)}</button>
</form>`,
  );
}

/** Renders the page that asks a user to sign in again. */
export function renderSignInAgainPage(page: {
  locale: Locale;
  clientName: string;
  path: string;
  token: string;
}): string {
  const texts = TEXTS[page.locale];
  return pageHtml(
    page.locale,
    texts.signInAgainTitle,
    `<p>${escapeHtml(texts.signInAgain(page.clientName))}</p>
<form method="post" action="${escapeHtml(page.path)}">
<input type="hidden" name="token" value="${escapeHtml(page.token)}">
<button class="primary" type="submit">${escapeHtml(texts.signInAgainButton)}</button>
</form>`,
  );
}
