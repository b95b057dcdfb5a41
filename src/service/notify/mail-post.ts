import type { SecureContext } from "node:tls";
import type { Transporter } from "nodemailer";
import { aborted } from "#base/aborted";
import type { Clock } from "#base/clock";
import { startDeadline } from "#base/deadline";
import { peerClock } from "#base/peer-clock";
import * as limits from "#limits/alerts-limits";
import type { Accounts, SmtpAccount } from "#service/notify/accounts";
import type { DeliveryOutcome } from "#service/notify/delivery-outcome";
import type { Mail } from "#service/notify/mail";
import { again, delivered, stopped } from "#service/notify/outcomes";
import { withReply } from "#service/notify/mail-reply";
import { noMailServer } from "#service/notify/mail-address";
import { showHostPort } from "#network/host-port";
import { errorCode, systemErrorWords, tlsErrorWords } from "#network/system-errors";

export interface MailWay {
  readonly clock: Clock;
  readonly secureContext: (() => SecureContext) | undefined;
}

/** Sends mails by the service's server of the moment, over two connections at most, which are kept for the next. */
export class MailPost implements AsyncDisposable {
  readonly #accounts: Pick<Accounts, "smtp">;
  readonly #way: MailWay;
  #line: Line | null = null;

  constructor(accounts: Pick<Accounts, "smtp">, way: MailWay) {
    this.#accounts = accounts;
    this.#way = way;
  }

  /** A trouble says what the server answered. */
  send(mail: Mail, signal: AbortSignal): Promise<DeliveryOutcome> {
    return this.#attempt(
      signal,
      async (transport, account) => {
        await transport.sendMail(messageOf(mail, account));
        return delivered(mail.thread ?? mail.messageId);
      },
      (error, account) => withReply(outcomeOf(error, account), error, account),
    );
  }

  /** Whether the server is there, by the TLS that is asked for, and takes the login. No mail is sent. */
  reach(signal: AbortSignal): Promise<DeliveryOutcome> {
    return this.#attempt(signal, async (transport) => {
      await transport.verify();
      return delivered();
    });
  }

  async #attempt(
    signal: AbortSignal,
    act: (transport: Transporter, account: SmtpAccount) => Promise<DeliveryOutcome>,
    understand: typeof outcomeOf = outcomeOf,
  ): Promise<DeliveryOutcome> {
    const account = this.#accounts.smtp;
    if (account === null) return notSet;
    using deadline = startDeadline(peerClock(this.#way.clock), limits.mailTimeout, signal);
    const late = aborted(deadline.signal).then(() => "late" as const);
    try {
      const line = await this.#open(account);
      return await this.#over(line, Promise.race([act(line.transport, account), late]));
    } catch (error) {
      return understand(error, account);
    }
  }

  /** One mail over a line, which closes with its last mail once one of them was not in time. */
  async #over(line: Line, sent: Promise<DeliveryOutcome | "late">): Promise<DeliveryOutcome> {
    line.mails += 1;
    try {
      const outcome = await sent;
      if (outcome !== "late") return outcome;
      // Whatever its connections wait for, the next mail has others.
      this.#leave(line);
      return again(
        "timed_out",
        `the mail server did not answer within ${limits.mailTimeout / 1000} s`,
        null,
      );
    } finally {
      line.mails -= 1;
      closeIfLeft(line);
    }
  }

  async #open(account: SmtpAccount): Promise<Line> {
    if (this.#line?.account === account) return this.#line;
    const transport = await openTransport(account, this.#way);
    if (this.#line?.account === account) return this.#line;
    if (this.#line !== null) this.#leave(this.#line);
    this.#line = { account, transport, mails: 0, isClosing: false };
    return this.#line;
  }

  /** It closes with the last mail that is under way over it, and takes no other. */
  #leave(line: Line): void {
    line.isClosing = true;
    if (this.#line === line) this.#line = null;
    closeIfLeft(line);
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#line?.transport.close();
    this.#line = null;
    return Promise.resolve();
  }
}

/** Connections to the server, and the mails that are under way over them. */
interface Line {
  readonly account: SmtpAccount;
  readonly transport: Transporter;
  mails: number;
  isClosing: boolean;
}

function closeIfLeft(line: Line): void {
  if (line.isClosing && line.mails === 0) line.transport.close();
}

const notSet: DeliveryOutcome = stopped("failing", "not_configured", noMailServer, null);

async function openTransport(account: SmtpAccount, way: MailWay): Promise<Transporter> {
  // A service that sends no mail needs none of it.
  const { createTransport } = await import("nodemailer");
  const { host, port, tls, login, dkim } = account;
  const transport = createTransport({
    pool: true,
    maxConnections: limits.mailConnectionsMax,
    // A mail whose connection broke may have arrived: it is tried again later, with the same Message-ID.
    maxRequeues: 0,
    host,
    port,
    secure: tls === "implicit",
    requireTLS: tls === "starttls",
    ...(login === null ? {} : { auth: { user: login.user, pass: login.password } }),
    tls: {
      ...(way.secureContext === undefined ? {} : { secureContext: way.secureContext() }),
      // Nothing leaves this machine: a certificate would prove nothing.
      rejectUnauthorized: tls !== "if-offered",
    },
    connectionTimeout: limits.mailConnectTimeout,
    greetingTimeout: limits.mailConnectTimeout,
    dnsTimeout: limits.mailConnectTimeout,
    socketTimeout: limits.mailCommandTimeout,
    ...(dkim === null
      ? {}
      : {
          dkim: {
            domainName: dkim.domain,
            keySelector: dkim.selector,
            privateKey: dkim.privateKey,
            headerFieldNames: signedHeaders,
          },
        }),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  // What breaks while nothing is sent is no news: the next mail opens another connection.
  transport.on("error", () => {});
  return transport;
}

/** What a mail of ours has and what others rely on. RFC 8058 wants both headers of its kind signed. */
const signedHeaders =
  "From:Sender:Reply-To:Subject:Date:Message-ID:To:Cc:MIME-Version:Content-Type:" +
  "Content-Transfer-Encoding:In-Reply-To:References:Auto-Submitted:List-Unsubscribe:List-Unsubscribe-Post";

const messageOf = (mail: Mail, { from }: SmtpAccount): object => ({
  from,
  to: mail.to,
  subject: mail.subject,
  text: mail.text,
  html: mail.html,
  messageId: mail.messageId,
  ...(mail.thread === null ? {} : { inReplyTo: mail.thread, references: [mail.thread] }),
  ...(mail.leaveUrl === null ? {} : { list: { unsubscribe: mail.leaveUrl } }),
  headers: {
    "Auto-Submitted": "auto-generated",
    "X-Auto-Response-Suppress": "All",
    // One click is for https alone (RFC 8058).
    ...(mail.leaveUrl?.startsWith("https:") === true
      ? { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" }
      : {}),
  },
  disableFileAccess: true,
  disableUrlAccess: true,
});

/** What a server or the way to it says. */
function outcomeOf(error: unknown, account: SmtpAccount): DeliveryOutcome {
  const code = errorCode(error);
  const status = replyCode(error);
  if (code === "EAUTH" || status === 535 || status === 530)
    return stopped(
      "failing",
      "key_refused",
      `the mail server does not take the user and the password (${status ?? "no answer"}): correct ${account.isGiven ? "them" : "PICKET_SMTP_URL"}${whereOf(account)}`,
      status,
    );
  if (status === null || code === "ETLS") return notReached(code, error, account);
  if (status < 500)
    return again("slow_down", `the mail server asks to try again later (${status})`, status);
  if (status === 550 || status === 551 || status === 553)
    return stopped(
      "permanent",
      "recipient_refused",
      `the mail server does not take mail for this address (${status}): correct the address`,
      status,
    );
  return stopped(
    "permanent",
    "message_refused",
    `the mail server does not take this mail (${status})`,
    status,
  );
}

/** Where a server is set that an owner gave. */
const whereOf = ({ isGiven }: SmtpAccount): string => (isGiven ? " in Settings → Mail" : "");

function notReached(code: string, error: unknown, account: SmtpAccount): DeliveryOutcome {
  const at = showHostPort(account.host, account.port);
  const text = Error.isError(error) ? error.message : "";
  if (/certificate|self-signed|altnames/i.test(text))
    return stopped(
      "failing",
      "unreachable",
      `the certificate of the mail server at ${at} is not trusted: set PICKET_CA_FILE to the CA that signed it`,
      null,
    );
  if (code === "ETLS" || /STARTTLS/i.test(text))
    return stopped(
      "failing",
      "unreachable",
      `the mail server at ${at} does not offer STARTTLS: ${account.isGiven ? "choose TLS in Settings → Mail" : "use smtps:// in PICKET_SMTP_URL"}, or another server`,
      null,
    );
  if (code === "ETIMEDOUT")
    return again("timed_out", `the mail server at ${at} did not answer in time`, null);
  const cause = causeOf(error);
  const words = systemErrorWords[cause] ?? tlsErrorWords(cause)?.words ?? "the connection broke";
  return again("unreachable", `the mail server is not reached at ${at}: ${words}`, null);
}

/** The library gives its own codes, and keeps the system's in the sentence or in the cause. */
function causeOf(error: unknown): string {
  if (!Error.isError(error)) return "";
  return /\b(E[A-Z]{4,})\b/.exec(error.message)?.[1] ?? errorCode(error.cause);
}

const replyCode = (error: unknown): number | null =>
  Error.isError(error) && "responseCode" in error && typeof error.responseCode === "number"
    ? error.responseCode
    : null;
