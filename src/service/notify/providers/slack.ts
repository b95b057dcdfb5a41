import type { DeliveryOutcome } from "#service/notify/delivery-outcome";
import { type HttpReply, postJson } from "#service/notify/provider-request";
import { fitMessage } from "#service/notify/message/fit-message";
import type { Line, Message, Tone } from "#service/notify/message/message";
import { linksWithAcknowledge } from "#service/notify/message/parts";
import { say } from "#service/notify/message/say";
import { targetMissing, plainOutcome } from "#service/notify/outcomes";
import type { Delivery, ProviderRules, Rendering, Scene } from "#service/notify/provider";
import { cutText } from "#base/text";
import { seconds } from "#base/units";
import { byWebhookUrl } from "#service/notify/webhook-url";

const label = "Slack";

/**
 * A line of text that phones and screen readers show, and the facts next to a bar of colour. Mattermost and Rocket.Chat
 * take the same at the same kind of URL.
 */
export const slack: ProviderRules<"slack"> = {
  ...byWebhookUrl({
    example: "https://hooks.slack.com/services/T0/B0/x",
    page: /^[\w-]+\.slack\.com\/(archives|client|messages)\//,
  }),
  label,
  word: "chat_b",
  manner: "chat",
  pace: { burst: 1, span: seconds(1) },
  render,
  understand,
};

function render(delivery: Delivery, { configuration }: Scene<"slack">): Rendering {
  const message = fitMessage(say(delivery.notice, delivery.timeZone), sizeOf, textCharsMax);
  const content = {
    text: headOf(message),
    attachments: [
      { color: colours[message.tone], fallback: escaped(message.title), blocks: blocksOf(message) },
    ],
  };
  return { is: "requests", requests: [postJson(configuration.webhookUrl, content)] };
}

/** The title as a link, because a button stands far below on a phone. */
function headOf({ title, reason, links: [first] }: Message): string {
  const head = first === undefined ? escaped(title) : `<${first.url}|${escaped(title)}>`;
  return reason === "" ? `*${head}*` : `*${head}*\n${escaped(reason)}`;
}

function blocksOf(message: Message): readonly unknown[] {
  const sections = [factsOf(message), message.lines.map(lineOf).join("\n"), escaped(message.note)];
  return [
    ...sections
      .flatMap(portions)
      .map((text) => ({ type: "section", text: { type: "mrkdwn", text } })),
    ...buttonsOf(message),
  ];
}

const lineOf = ({ lead, rest, url }: Line): string =>
  `${url === null ? escaped(lead) : `<${url}|${escaped(lead)}>`}${escaped(rest)}`;

const factsOf = ({ facts }: Message): string =>
  facts.map(({ name, value }) => `*${name}:* ${escaped(value)}`).join("\n");

function buttonsOf(message: Message): readonly unknown[] {
  const links = linksWithAcknowledge(message);
  if (links.length === 0) return [];
  const buttons = links.map(({ label: text, url }, index) => ({
    type: "button",
    action_id: `link-${index}`,
    text: { type: "plain_text", text, emoji: false },
    url,
  }));
  return [{ type: "actions", elements: buttons }];
}

/** A section takes 3,000 characters: whole lines as far as they fit. */
function portions(text: string): readonly string[] {
  const parts: string[] = [];
  for (const line of text === "" ? [] : text.split("\n")) {
    const joined = `${parts.at(-1) ?? ""}\n${line}`;
    if (parts.length > 0 && joined.length <= sectionCharsMax) parts.splice(-1, 1, joined);
    else parts.push(cutText(line, sectionCharsMax));
  }
  return parts;
}
const sectionCharsMax = 3_000;

const sizeOf = (message: Message): number =>
  headOf(message).length + JSON.stringify(blocksOf(message)).length;
const textCharsMax = 11_000;

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const colours: { readonly [T in Tone]: string } = {
  down: "#d92d20",
  slow: "#f79009",
  up: "#12b76a",
  quiet: "#667085",
};

/** It answers in words: an archived channel does not come back by itself. */
function understand(reply: HttpReply, { now }: Scene<"slack">): DeliveryOutcome {
  const word = reply.body.trim();
  if (reply.status === 410 || word === "channel_is_archived")
    return targetMissing("disabled", label, reply.status);
  if (word === "no_service" || word === "channel_not_found")
    return targetMissing("disabled", label, reply.status);
  return plainOutcome(reply, label, now);
}
