import { methodNotAllowed } from '../../core/errors/errors';
import { type Locale, parseStoredLocale } from '../../core/locales';
import { findChannelByUnsubscribeToken, unsubscribe } from '../../notifications/unsubscribe-service';
import type { Services } from '../../trpc/context';
import type { Handler } from '../api';
import { type BodyLimit, readBody } from '../body';
import type { Exchange } from '../exchange';
import { escapeHtml, localeOf, pageHtml, sendPage } from './plain-page';

const TEXTS = {
  en: {
    title: 'Unsubscribe',
    ask: 'Brickdesk will stop sending summaries and alerts to this address. You can turn them on again in your account.',
    stop: 'Unsubscribe',
    done: 'Done. You will get no more of these e-mails.',
    unknown: 'This link is no longer valid. Sign in to change your notification settings.',
  },
  zh: {
    title: '退订邮件',
    ask: '退订后，Brickdesk 不再向此邮箱发送日报和提醒。您可以随时在账号中重新开启。',
    stop: '退订',
    done: '已退订，您不会再收到此类邮件。',
    unknown: '链接已失效。请登录后修改通知设置。',
  },
} as const;

const sendUnsubscribePage = (exchange: Exchange, status: number, locale: Locale, body: string) =>
  sendPage(exchange, status, pageHtml(locale, TEXTS[locale].title, body));

/**
 * Creates the handler of the unsubscribe links in e-mails, which need no sign-in. GET only asks for confirmation, since some
 * mail systems open every link. POST stops the e-mails; it is sent by the page's button and by mail programs (RFC 8058).
 */
export function createUnsubscribeHandler(services: Services, limit: BodyLimit): Handler {
  return async (exchange) => {
    const { req, query, address } = exchange;
    exchange.route = '/unsubscribe';
    const method = req.method ?? '';
    if (!['GET', 'HEAD', 'POST'].includes(method)) throw methodNotAllowed(['GET', 'HEAD', 'POST']);
    // The body is read but ignored: the method alone says what is wanted.
    if (method === 'POST') await readBody(req, limit);
    const channel = await findChannelByUnsubscribeToken(
      services,
      new URLSearchParams(query).get('token') ?? '',
    );
    const locale = channel ? parseStoredLocale(channel.locale) : localeOf(exchange);
    const texts = TEXTS[locale];
    if (!channel) return sendUnsubscribePage(exchange, 404, locale, `<p>${escapeHtml(texts.unknown)}</p>`);
    if (method === 'POST') {
      await unsubscribe(services.db, channel, address);
      return sendUnsubscribePage(exchange, 200, locale, `<p>${escapeHtml(texts.done)}</p>`);
    }
    sendUnsubscribePage(
      exchange,
      200,
      locale,
      `<p>${escapeHtml(texts.ask)}</p>\n<form method="post"><button class="primary" type="submit">${escapeHtml(texts.stop)}</button></form>`,
    );
  };
}
