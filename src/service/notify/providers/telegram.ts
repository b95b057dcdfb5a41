import { ConfigurationReader } from "#service/notify/configuration-reading";
import { type HttpReply, postJson, replyNumber, replyText } from "#service/notify/provider-request";
import { fitMessage } from "#service/notify/message/fit-message";
import type { Line, Message } from "#service/notify/message/message";
import { linksWithAcknowledge } from "#service/notify/message/parts";
import { say } from "#service/notify/message/say";
import { again, delivered, plainOutcome, slowDown, stopped } from "#service/notify/outcomes";
import type {
  Delivery,
  ProviderRules,
  Rendering,
  Scene,
  ReplyMeaning,
} from "#service/notify/provider";
import { millis, seconds } from "#base/units";

const label = "Telegram";
const lacking =
  "Telegram needs a bot: set PICKET_TELEGRAM_BOT_TOKEN or PICKET_TELEGRAM_BOT_TOKEN_FILE at the service";

/** A message of the service's bot; later ones reply to the first. */
export const telegram: ProviderRules<"telegram"> = {
  label,
  word: "chat_c",
  manner: "chat",
  // One a second a chat, and 20 a minute in a group: the slower of the two.
  pace: { burst: 3, span: seconds(3) },
  paceKey: ({ chatId }) => chatId,
  read(given) {
    const reader = new ConfigurationReader(given);
    const chatId = reader.text(
      "chat_id",
      /^(-?\d{1,20}|@[A-Za-z]\w{3,63})$/,
      "the chat's number, for example -1001234567890, or @channel",
    );
    return reader.finish({ chatId });
  },
  lacks: ({ telegram: account }) => (account === null ? lacking : null),
  render,
  understand,
  asking: null,
};

function render(delivery: Delivery, { configuration, accounts }: Scene<"telegram">): Rendering {
  if (accounts.telegram === null) return { is: "nothing", why: lacking };
  const { notice, reference } = delivery;
  const message = fitMessage(say(notice, delivery.timeZone), sizeOf, 4096);
  const replied = reference === null ? null : Number(reference);
  const content = {
    chat_id: configuration.chatId,
    text: textOf(message),
    parse_mode: "HTML",
    link_preview_options: { is_disabled: true },
    ...(message.tone === "up" ? { disable_notification: true } : {}),
    ...(replied === null || !Number.isSafeInteger(replied)
      ? {}
      : { reply_parameters: { message_id: replied, allow_sending_without_reply: true } }),
  };
  const { baseUrl, token } = accounts.telegram;
  return { is: "requests", requests: [postJson(`${baseUrl}/bot${token}/sendMessage`, content)] };
}

const textOf = ({ title, reason, facts, lines, note, ...message }: Message): string =>
  [
    `<b>${escaped(title)}</b>`,
    escaped(reason),
    facts.map(({ name, value }) => `<b>${name}:</b> ${escaped(value)}`).join("\n"),
    lines.map((line) => `• ${lineOf(line)}`).join("\n"),
    escaped(note),
    linksWithAcknowledge(message)
      .map(({ label: text, url }) => `<a href="${escaped(url)}">${text}</a>`)
      .join(" · "),
  ]
    .filter((part) => part !== "")
    .join("\n");

const lineOf = ({ lead, rest, url }: Line): string =>
  `${url === null ? escaped(lead) : `<a href="${escaped(url)}">${escaped(lead)}</a>`}${escaped(rest)}`;

/** With its marks a text is longer than what is counted, never shorter. */
const sizeOf = (message: Message): number => textOf(message).length;

const escaped = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");

function understand(reply: HttpReply, { now }: Scene<"telegram">): ReplyMeaning<"telegram"> {
  const { status } = reply;
  const moved = replyNumber(reply, "parameters", "migrate_to_chat_id");
  if (status === 200) return delivered(replyText(reply, "result", "message_id"));
  if (moved !== null)
    return {
      is: "moved",
      configuration: { chatId: String(moved) },
    };
  const wait = replyNumber(reply, "parameters", "retry_after");
  if (status === 429) return slowDown(label, status, wait === null ? null : seconds(wait));
  const description = replyText(reply, "description") ?? "";
  if (status === 401 || (status === 404 && /^Not Found$/i.test(description)))
    return stopped(
      "failing",
      "key_refused",
      `${label} does not know the bot's token (${status}): set a new PICKET_TELEGRAM_BOT_TOKEN`,
      status,
    );
  if (status === 403 || /chat not found|kicked|blocked|deactivated/i.test(description))
    return stopped(
      "permanent",
      "recipient_refused",
      `${label} does not let the bot write to this chat (${status}): add the bot to it, or correct chat_id`,
      status,
    );
  if (status === 409)
    return again("provider_failed", `${label} is busy (${status})`, status, millis(1000));
  return plainOutcome(reply, label, now);
}
