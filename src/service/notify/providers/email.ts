import { capital } from "#base/text";
import { ConfigurationReader } from "#service/notify/configuration-reading";
import { addressPattern, mailDomain, noMailServer } from "#service/notify/mail-address";
import { mailHtml } from "#service/notify/mail-html";
import type { Message } from "#service/notify/message/message";
import { fitMessage } from "#service/notify/message/fit-message";
import { lineWithAddress, linksWithAcknowledge } from "#service/notify/message/parts";
import { say } from "#service/notify/message/say";
import { plainOutcome } from "#service/notify/outcomes";
import type { Delivery, ProviderRules, Rendering, Scene } from "#service/notify/provider";
import { millis } from "#base/units";

const label = "The mail server";

/** A mail in text and HTML, in the thread of its incident. */
export const email: ProviderRules<"email"> = {
  label: "E-mail",
  word: "email",
  manner: "mail",
  // The mail server has its own pace, and says so: two connections at most go to it.
  pace: { burst: 20, span: millis(200) },
  paceKey: () => "smtp",
  read(given) {
    const reader = new ConfigurationReader(given);
    const address = reader.text(
      "email",
      addressPattern,
      "one address, for example ops@example.com",
    );
    return reader.finish({ email: address });
  },
  lacks: ({ smtp }) => (smtp === null ? noMailServer : null),
  render,
  understand: (reply, { now }) => plainOutcome(reply, label, now),
  asking: null,
};

function render(delivery: Delivery, { configuration, accounts }: Scene<"email">): Rendering {
  if (accounts.smtp === null) return { is: "nothing", why: noMailServer };
  const said = say(delivery.notice, delivery.timeZone);
  // In a mail the reason is a separate paragraph, so it begins as one.
  const message = fitMessage({ ...said, reason: capital(said.reason) }, sizeOf, mailBytesMax);
  const domain = mailDomain(accounts.smtp.from);
  return {
    is: "mail",
    mail: {
      to: configuration.email,
      subject: message.title,
      text: textOf(message),
      html: mailHtml(message, delivery.notice.service),
      messageId: `<${delivery.id.replace(/[^\w.-]/g, "-")}@${domain}>`,
      thread: delivery.reference,
      leaveUrl: null,
    },
  };
}

const textOf = ({ title, reason, facts, lines, note, ...message }: Message): string => {
  const width = Math.max(0, ...facts.map(({ name }) => name.length)) + 2;
  return `${[
    title,
    reason,
    facts.map(({ name, value }) => `${`${name}:`.padEnd(width)}${value}`).join("\n"),
    lines.map((line) => `- ${lineWithAddress(line)}`).join("\n"),
    note,
    linksWithAcknowledge(message)
      .map(({ label: name, url }) => `${name}: ${url}`)
      .join("\n"),
  ]
    .filter((part) => part !== "")
    .join("\n\n")}\n`;
};

const sizeOf = (message: Message): number => Buffer.byteLength(textOf(message));
/** The HTML says the same with about as much markup: both stay below the 100 KB at which mail programs cut. */
const mailBytesMax = 30_000;
