import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** A local mail server that keeps the e-mails that it accepts. */
export interface MailStandIn {
  url: string;
  /** The accepted e-mails. `source` is a whole e-mail as it arrived, headers first, with one character for each byte. */
  emails: { to: string[]; from: string; source: string }[];
  /**
   * Refuses further e-mails with this SMTP code, or accepts e-mails again if `code` is null. With `keep`, it keeps the e-mails that
   * it refuses, like a server whose acceptance is lost on the way.
   */
  refuseWith(code: number | null, options?: { keep: boolean }): void;
  close(): Promise<void>;
}

const MAIL_USER = 'desk';
export const MAIL_PASSWORD = 'mail-password-of-the-stand-in';

/** Decodes an e-mail, quoted-printable or plain, so that tests can search it for sentences. */
export function decodeEmail(source: string): string {
  const bytes = source
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

export async function startMailStandIn(): Promise<MailStandIn> {
  const emails: MailStandIn['emails'] = [];
  let refusalCode: number | null = null;
  let keepsRefusedEmails = false;
  const server = new SMTPServer({
    authOptional: false,
    allowInsecureAuth: true,
    hideSTARTTLS: true,
    disableReverseLookup: true,
    onAuth: ({ username, password }, _session, done) => {
      if (username === MAIL_USER && password === MAIL_PASSWORD) done(null, { user: username });
      else done(new Error('Invalid username or password'));
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const refusal =
          refusalCode === null ? null : Object.assign(new Error('Refused'), { responseCode: refusalCode });
        if (refusal && !keepsRefusedEmails) return done(refusal);
        const { mailFrom, rcptTo } = session.envelope;
        emails.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          source: Buffer.concat(chunks).toString('latin1'),
        });
        done(refusal);
      });
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://${MAIL_USER}:${MAIL_PASSWORD}@127.0.0.1:${port}`,
    emails,
    refuseWith(code, { keep } = { keep: false }) {
      refusalCode = code;
      keepsRefusedEmails = keep;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
