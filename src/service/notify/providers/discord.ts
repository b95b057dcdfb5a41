import type { DeliveryOutcome } from "#service/notify/delivery-outcome";
import type { Notice } from "#service/notify/event";
import {
  type HttpReply,
  type HttpRequest,
  postJson,
  replyValue,
  replyNumber,
  replyText,
  withQuery,
} from "#service/notify/provider-request";
import { fitMessage } from "#service/notify/message/fit-message";
import { inMarkdown, lineInMarkdown } from "#service/notify/markdown";
import type { Message, Tone } from "#service/notify/message/message";
import { linksWithAcknowledge } from "#service/notify/message/parts";
import { say } from "#service/notify/message/say";
import { delivered, targetMissing, plainOutcome, slowDown } from "#service/notify/outcomes";
import type { Delivery, ProviderRules, Rendering, Scene } from "#service/notify/provider";
import { cutText } from "#base/text";
import { millis, seconds } from "#base/units";
import { byWebhookUrl } from "#service/notify/webhook-url";

const label = "Discord";

/** Embeds with a colour; the alert's first message is edited when it is over, and a new one says so too. */
export const discord: ProviderRules<"discord"> = {
  ...byWebhookUrl({
    example: "https://discord.com/api/webhooks/1/x",
    page: /^(\w+\.)?discord(app)?\.com\/(channels|invite)\//,
  }),
  label,
  word: "chat_a",
  manner: "chat",
  // Its maker says the pace in each answer; seen is five in two seconds.
  pace: { burst: 5, span: millis(500) },
  render,
  understand,
};

function render(delivery: Delivery, { configuration }: Scene<"discord">): Rendering {
  const { notice, reference, timeZone } = delivery;
  const url = configuration.webhookUrl;
  const fresh = postJson(withQuery(url, "wait", "true"), contentOf(notice, timeZone));
  const edited = asEdited(notice);
  if (reference === null || edited === null) return { is: "requests", requests: [fresh] };
  return {
    is: "requests",
    requests: [editOf(url, reference, contentOf(edited, timeZone)), fresh],
  };
}

/** What the first message is to say from now on; null if it stays. */
function asEdited(notice: Notice): Notice | null {
  switch (notice.type) {
    case "monitor.recovered":
    case "location.online":
      // "Was down" instead of "Up again".
      return { ...notice, announced: false };
    case "monitor.error":
    case "monitor.degraded":
      return notice.occasion.why === "changed" ? notice : null;
    case "monitor.closed":
    case "monitor.reminder":
    case "monitor.flapping":
    case "monitor.settled":
    case "location.offline":
    case "location.trouble":
    case "location.well":
    case "location.closed":
    case "maintenance.started":
    case "maintenance.changed":
    case "maintenance.ended":
    case "channel.failing":
    case "digest":
    case "page.news":
    case "test":
      return null;
  }
}

/** The first message may have been deleted by a person: the new one is sent anyway. */
function editOf(webhookUrl: string, reference: string, content: unknown): HttpRequest {
  const url = new URL(webhookUrl);
  url.pathname = `${url.pathname.replace(/\/$/, "")}/messages/${encodeURIComponent(reference)}`;
  return { ...postJson(url.href, content), method: "PATCH", mayFail: true };
}

function contentOf(notice: Notice, timeZone: string): unknown {
  const message = fitMessage(say(notice, timeZone), sizeOf, embedCharsMax);
  const [first] = message.links;
  return {
    username: "Picket",
    // Names hold @everyone.
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title: cutText(inMarkdown(message.title), 256),
        ...(first === undefined ? {} : { url: first.url }),
        description: descriptionOf(message),
        color: colours[message.tone],
        timestamp: new Date(notice.at).toISOString(),
        fields: message.facts.slice(0, 25).map(({ name, value }) => ({
          name,
          value: cutText(inMarkdown(value), 1024),
          inline: value.length <= 24,
        })),
        footer: { text: "Picket" },
      },
    ],
  };
}

const descriptionOf = ({ reason, lines, note, ...message }: Message): string =>
  [
    inMarkdown(reason),
    lines.map(lineInMarkdown).join("\n"),
    inMarkdown(note),
    linksWithAcknowledge(message)
      .map(({ label: text, url }) => `[${text}](${url})`)
      .join(" · "),
  ]
    .filter((part) => part !== "")
    .join("\n\n");

/** Title and footer count too; the description has a limit that is met sooner. */
const sizeOf = (message: Message): number => {
  const facts = message.facts.reduce(
    (sum, { name, value }) => sum + name.length + inMarkdown(value).length,
    0,
  );
  const description = descriptionOf(message).length;
  return Math.max(inMarkdown(message.title).length + facts + description + 64, description + 1600);
};
const embedCharsMax = 5_600;

const colours: { readonly [T in Tone]: number } = {
  down: 0xd92d20,
  slow: 0xf79009,
  up: 0x12b76a,
  quiet: 0x667085,
};

function understand(reply: HttpReply, { now }: Scene<"discord">): DeliveryOutcome {
  const { status } = reply;
  if (status === 200) return delivered(replyText(reply, "id"));
  if (status === 404 && replyValue(reply, "code") === 10_015)
    return targetMissing("disabled", label, status);
  const wait = replyNumber(reply, "retry_after");
  if (status === 429 && wait !== null) return slowDown(label, status, seconds(wait));
  return plainOutcome(reply, label, now);
}
