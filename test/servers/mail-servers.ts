import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { listenLocally } from "./listen-locally.ts";

/* Real SMTP servers, each with what it does wrong as its name. */

export interface MailServer extends AsyncDisposable {
  readonly port: number;
  /** Mails as they came over the wire. */
  readonly mails: readonly string[];
  /** Whether the last one came over TLS. */
  readonly secure: readonly boolean[];
  /** Settles when a client has sent so many mails whole. */
  had(count: number): Promise<void>;
}

export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const mails: string[] = [];
  const secure: boolean[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 50,
    ...options,
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        mails.push(Buffer.concat(chunks).toString());
        secure.push(session.secure);
        for (const one of waiting) if (mails.length >= one.count) one.resolve();
        if (options.onData === undefined) callback();
        else options.onData(stream, session, callback);
      });
    },
  });
  server.on("error", () => {});
  const port = await listenLocally(server.server);
  return {
    port,
    mails,
    secure,
    had: (count) =>
      new Promise((resolve) => {
        if (mails.length >= count) resolve();
        else waiting.push({ count, resolve });
      }),
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

const answer = (responseCode: number, message: string): Error =>
  Object.assign(new Error(message), { responseCode });

/** Asks to come back, as one does who has never seen the sender. */
export const smtpGreylists: SMTPServerOptions = {
  onRcptTo: (_address, _session, callback) => callback(answer(451, "4.7.1 Greylisted, come back")),
};

/** Takes a mail and never says so. */
export const smtpHangsAfterData: SMTPServerOptions = { onData: () => {} };

export const smtpKnowsNoSuchUser: SMTPServerOptions = {
  onRcptTo: (_address, _session, callback) => callback(answer(550, "5.1.1 No such user")),
};

/** Takes one user and one password, and only over TLS. */
export const smtpWantsALogin = (user: string, password: string): SMTPServerOptions => ({
  authOptional: false,
  onAuth: (auth, _session, callback) =>
    auth.username === user && auth.password === password
      ? callback(null, { user })
      : callback(answer(535, "5.7.8 Authentication failed")),
});

/** Speaks no TLS at all. */
export const smtpOffersNoTls: SMTPServerOptions = { disabledCommands: ["STARTTLS"] };
