import { ConfigurationReader } from "#service/notify/configuration-reading";
import type { Notice } from "#service/notify/event";
import { postJson, replyText } from "#service/notify/provider-request";
import { fitMessage } from "#service/notify/message/fit-message";
import type { Message, Tone } from "#service/notify/message/message";
import { lineWithAddress, linksWithAcknowledge } from "#service/notify/message/parts";
import { say } from "#service/notify/message/say";
import { delivered, plainOutcome } from "#service/notify/outcomes";
import type { Delivery, ProviderRules, Rendering, Scene } from "#service/notify/provider";
import { seconds } from "#base/units";

const label = "ntfy";
const publicServer = "https://ntfy.sh";

/** A push message to a topic, posted as JSON to the server's root: headers cannot carry all of Unicode. */
export const ntfy: ProviderRules<"ntfy"> = {
  label,
  word: "push_a",
  manner: "push",
  pace: { burst: 30, span: seconds(5) },
  paceKey: ({ serverUrl, token }) => `${serverUrl} ${token}`,
  read(given) {
    const reader = new ConfigurationReader(given);
    return reader.finish({
      topic: reader.text(
        "topic",
        /^[\w-]{1,64}$/,
        "up to 64 letters, digits, - and _, for example shop-3f9a2c",
      ),
      serverUrl: reader.optionalUrl("server_url", "https://ntfy.sh/"),
      token: reader.optionalText(
        "token",
        /^[\x21-\x7e]{1,256}$/,
        "an access token, for example tk_…",
      ),
    });
  },
  lacks: () => null,
  render,
  understand: (reply, { now }) =>
    reply.status === 200 ? delivered(replyText(reply, "id")) : plainOutcome(reply, label, now),
  asking: null,
};

function render(delivery: Delivery, { configuration }: Scene<"ntfy">): Rendering {
  const { notice } = delivery;
  const { topic, serverUrl, token } = configuration;
  const message = fitMessage(say(notice, delivery.timeZone), sizeOf, messageBytesMax);
  const [first] = message.links;
  const content = {
    topic,
    title: message.title,
    message: textOf(message),
    priority: priorityOf(notice),
    tags: [tags[message.tone]],
    ...(first === undefined ? {} : { click: first.url }),
    actions: linksWithAcknowledge(message)
      .slice(0, 3)
      .map((link) => ({ action: "view", ...link })),
    markdown: false,
  };
  const headers: Record<string, string> = token === "" ? {} : { authorization: `Bearer ${token}` };
  return {
    is: "requests",
    requests: [postJson(new URL("/", serverUrl || publicServer).href, content, headers)],
  };
}

const textOf = ({ reason, facts, lines, note }: Message): string =>
  [
    reason,
    ...facts.map(({ name, value }) => `${name}: ${value}`),
    ...lines.map(lineWithAddress),
    note,
  ]
    .filter((part) => part !== "")
    .join("\n");

const sizeOf = (message: Message): number => Buffer.byteLength(textOf(message));
/** A longer one becomes a file. */
const messageBytesMax = 4096;

const tags: { readonly [T in Tone]: string } = {
  down: "rotating_light",
  slow: "warning",
  up: "white_check_mark",
  quiet: "information_source",
};

function priorityOf(notice: Notice): number {
  switch (notice.type) {
    case "monitor.error":
    case "location.offline":
      return 5;
    case "monitor.degraded":
    case "monitor.reminder":
    case "monitor.flapping":
    case "location.trouble":
    case "channel.failing":
    case "digest":
      return 4;
    case "monitor.recovered":
    case "monitor.settled":
    case "monitor.closed":
    case "location.online":
    case "location.well":
    case "location.closed":
    case "maintenance.started":
    case "maintenance.changed":
    case "maintenance.ended":
    case "page.news":
    case "test":
      return 3;
  }
}
