import { composeMessages } from '../../../src/server/notifications/compose-service';
import { sendDueMessages } from '../../../src/server/notifications/delivery-service';
import { type ChatStandIn, startChatStandIn } from '../stand-ins/chat-stand-in';
import { decodeEmail, type MailStandIn, startMailStandIn } from '../stand-ins/mail-stand-in';
import type { SignedInUser } from './signed-in';
import { startTestService, type TestService } from './test-service';

/** A service whose mail server and chats are local stand-ins. */
export interface NotificationService {
  service: TestService;
  mail: MailStandIn;
  chat: ChatStandIn;
  /** Writes and sends notifications, as a background job does every five minutes. */
  run(now?: number): Promise<void>;
  /** Returns the e-mails to a user, as decoded text with their headers. */
  emailsTo(user: SignedInUser): string[];
  /** Backdates all notifications so far by this many minutes. */
  backdate(minutes: number): Promise<void>;
  close(): Promise<void>;
}

/** The settings that every channel needs besides its vendor. */
export const CHANNEL_SETTINGS = {
  kinds: [] as string[],
  shop_ids: [] as number[],
  send_at: '00:00',
  time_zone: 'UTC',
  locale: 'en',
  empty_days: true,
  active: true,
};

export async function startNotificationService(
  environment: Record<string, string> = {},
): Promise<NotificationService> {
  const [mail, chat] = await Promise.all([startMailStandIn(), startChatStandIn()]);
  const service = await startTestService({
    SMTP_URL: mail.url,
    SMTP_FROM: 'Brickdesk <desk@shop.example>',
    APP_URL: 'http://desk.example',
    ...chat.environment,
    ...environment,
  });
  const { services } = service.app;
  return {
    service,
    mail,
    chat,
    async run(now = Date.now()) {
      const { signal } = new AbortController();
      await composeMessages({ db: services.db, now, signal }, services.sender.hasEmail);
      await sendDueMessages(services, signal);
    },
    emailsTo: ({ email }) =>
      mail.emails.filter(({ to }) => to.includes(email)).map(({ source }) => decodeEmail(source)),
    async backdate(minutes) {
      await service.database.query(
        `UPDATE notifications SET created_at = created_at - make_interval(mins => $1),
                due_at = due_at - make_interval(mins => $1)`,
        [minutes],
      );
    },
    async close() {
      await service.close();
      await Promise.all([mail.close(), chat.close()]);
    },
  };
}

/** Saves a channel of a user or of the team. Returns its id. */
export async function saveChannel(
  user: SignedInUser,
  input: object,
  owner: 'own' | 'team' = 'own',
): Promise<number> {
  const { data, error } = await user.call(`notifications.${owner}.save`, { ...CHANNEL_SETTINGS, ...input });
  if (error) throw new Error(`${error.message} ${JSON.stringify(error.problems)}`);
  return data.id;
}
