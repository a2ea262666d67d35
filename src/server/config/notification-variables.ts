import { z } from 'zod';
import { webUrl } from '../core/http/web-address';

/** The variables of notifications: the mail server, and the chat services whose webhooks may be called. */
export const NOTIFICATION_VARIABLES = {
  SMTP_URL: z
    .string()
    .refine(
      (text) =>
        URL.canParse(text) && /^smtps?:$/.test(new URL(text).protocol) && new URL(text).hostname !== '',
      'must be a URL such as smtp://user:password@mail.example:587, or smtps:// for TLS from the start',
    )
    .optional()
    .meta({
      description:
        'Mail server for notifications, such as `smtp://user:password@mail.example:587`; `smtps://` for TLS from the start. Without it, no e-mails are sent.',
      secret: true,
    }),
  SMTP_FROM: z
    .string()
    .max(320)
    .regex(
      /^(?:[^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/,
      'must be an e-mail address such as Brickdesk <desk@shop.example>',
    )
    .optional()
    .meta({ description: 'Sender of those e-mails, such as `Brickdesk <desk@shop.example>`.' }),
  WECOM_BASE_URL: webUrl.default('https://qyapi.weixin.qq.com').meta({
    description: "Origin of WeCom's webhooks. No address of another origin can be saved.",
  }),
  DINGTALK_BASE_URL: webUrl
    .default('https://oapi.dingtalk.com')
    .meta({ description: "Origin of DingTalk's webhooks." }),
  SLACK_BASE_URL: webUrl
    .default('https://hooks.slack.com')
    .meta({ description: "Origin of Slack's webhooks." }),
};
