import { createTransport } from 'nodemailer';
import { createReason } from '../../core/errors/reason';
import { SendError } from './send-error';

/** An e-mail to one user. */
interface Email {
  to: { name: string; address: string };
  subject: string;
  text: string;
  html: string;
  /** Stays the same if the e-mail is sent again, so that mail servers can drop the duplicate. */
  messageId: string;
  headers: Record<string, string>;
}

export type SendEmail = (email: Email) => Promise<void>;

/** The timeout for a whole e-mail. */
const TIMEOUT_MS = 45_000;
const STEP_TIMEOUT_MS = 10_000;

/** The codes of nodemailer and Node for a server to which no connection can be made. */
const UNREACHABLE_CODES = new Set([
  'ECONNECTION',
  'ESOCKET',
  'EDNS',
  'ETLS',
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
]);

function toSendError(error: unknown): SendError {
  const { code, responseCode } = (error ?? {}) as { code?: unknown; responseCode?: unknown };
  const options = { cause: error };
  if (code === 'EAUTH' || code === 'ENOAUTH')
    return new SendError(createReason('notification.mailSignIn'), 'outage', options);
  if (code === 'ETIMEDOUT') return new SendError(createReason('notification.mailSlow'), 'outage', options);
  // RFC 5321: after 5yz, the same e-mail will be refused again; after 4yz, it may be accepted later.
  if (typeof responseCode === 'number' && responseCode >= 400)
    return new SendError(
      createReason('notification.mailRefused', { code: responseCode }),
      responseCode >= 500 ? 'refused' : 'later',
      options,
    );
  if (typeof code === 'string' && UNREACHABLE_CODES.has(code))
    return new SendError(createReason('notification.mailUnreachable'), 'outage', options);
  return new SendError(createReason('notification.mailFailed'), 'later', options);
}

/**
 * Creates a client for the mail server. The client opens a connection for each e-mail, and never reads files or URLs.
 *
 * @param settings.url in nodemailer's form: `smtp://user:password@host:587`, or `smtps://` for implicit TLS
 */
export function createEmailClient(settings: { url: string; from: string }): SendEmail {
  const transport = createTransport(
    {
      url: settings.url,
      connectionTimeout: STEP_TIMEOUT_MS,
      greetingTimeout: STEP_TIMEOUT_MS,
      dnsTimeout: STEP_TIMEOUT_MS,
      socketTimeout: 2 * STEP_TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from: settings.from },
  );
  return async (email) => {
    let timer: NodeJS.Timeout | undefined;
    const timeoutPromise = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new SendError(createReason('notification.mailSlow'), 'outage')),
        TIMEOUT_MS,
      );
    });
    try {
      await Promise.race([transport.sendMail(email), timeoutPromise]);
    } catch (error) {
      throw error instanceof SendError ? error : toSendError(error);
    } finally {
      clearTimeout(timer);
    }
  };
}
