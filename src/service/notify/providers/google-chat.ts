import { postJson, replyText, withQuery } from "#service/notify/provider-request";
import { threadKey } from "#service/notify/keys";
import { fitMessage } from "#service/notify/message/fit-message";
import type { Line, Message } from "#service/notify/message/message";
import { linksWithAcknowledge } from "#service/notify/message/parts";
import { say } from "#service/notify/message/say";
import { delivered, plainOutcome } from "#service/notify/outcomes";
import type { Delivery, ProviderRules, Rendering, Scene } from "#service/notify/provider";
import { seconds } from "#base/units";
import { byWebhookUrl } from "#service/notify/webhook-url";

const label = "Google Chat";

/** A text in a thread of the incident. */
export const googleChat: ProviderRules<"google_chat"> = {
  ...byWebhookUrl({
    example: "https://chat.googleapis.com/v1/spaces/x/messages?key=x&token=x",
    page: /^(chat|mail)\.google\.com\//,
  }),
  label,
  word: "chat_e",
  manner: "chat",
  pace: { burst: 1, span: seconds(1) },
  render,
  understand: (reply, { now }) =>
    reply.status === 200 ? delivered(replyText(reply, "name")) : plainOutcome(reply, label, now),
};

function render(delivery: Delivery, { configuration }: Scene<"google_chat">): Rendering {
  const { notice } = delivery;
  const message = fitMessage(say(notice, delivery.timeZone), sizeOf, 32_000);
  const url = withQuery(
    configuration.webhookUrl,
    "messageReplyOption",
    "REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD",
  );
  const content = { text: textOf(message), thread: { threadKey: threadKey(delivery) } };
  return { is: "requests", requests: [postJson(url, content)] };
}

const textOf = ({ title, reason, facts, lines, note, ...message }: Message): string =>
  [
    `*${escaped(title)}*`,
    escaped(reason),
    facts.map(({ name, value }) => `*${name}:* ${escaped(value)}`).join("\n"),
    lines.map((line) => `• ${lineOf(line)}`).join("\n"),
    escaped(note),
    linksWithAcknowledge(message)
      .map((link) => `<${link.url}|${link.label}>`)
      .join(" · "),
  ]
    .filter((part) => part !== "")
    .join("\n");

const lineOf = ({ lead, rest, url }: Line): string =>
  `${url === null ? escaped(lead) : `<${url}|${linked(lead)}>`}${escaped(rest)}`;

/** A bar ends the address of a link, and what follows is its text. */
const linked = (text: string): string => escaped(text).replaceAll("|", "¦");

const sizeOf = (message: Message): number => Buffer.byteLength(textOf(message));

/** There is no escape for its marks: angle brackets call people (<users/all>), the others only make a text bold. */
const escaped = (text: string): string => text.replaceAll("<", "‹").replaceAll(">", "›");
