import type { DeliveryOutcome } from "#service/notify/delivery-outcome";
import { type HttpReply, postJson } from "#service/notify/provider-request";
import { fitMessage } from "#service/notify/message/fit-message";
import { inMarkdown, lineInMarkdown } from "#service/notify/markdown";
import type { Message, Tone } from "#service/notify/message/message";
import { linksWithAcknowledge } from "#service/notify/message/parts";
import { say } from "#service/notify/message/say";
import { plainOutcome, stopped } from "#service/notify/outcomes";
import type { Delivery, ProviderRules, Rendering, Scene } from "#service/notify/provider";
import { millis } from "#base/units";
import { byWebhookUrl } from "#service/notify/webhook-url";

const label = "Microsoft Teams";

/** An adaptive card for a workflow's URL. */
export const msTeams: ProviderRules<"ms_teams"> = {
  ...byWebhookUrl({
    example: "https://host.logic.azure.com/workflows/x",
    page: /^teams\.(microsoft\.com|live\.com|cloud\.microsoft)\//,
  }),
  label,
  // The interface shows twelve words; this provider is the thirteenth, under its own name.
  word: "ms_teams",
  manner: "chat",
  pace: { burst: 4, span: millis(250) },
  render,
  understand,
};

function render(delivery: Delivery, { configuration }: Scene<"ms_teams">): Rendering {
  const message = fitMessage(say(delivery.notice, delivery.timeZone), sizeOf, 26_000);
  return { is: "requests", requests: [postJson(configuration.webhookUrl, contentOf(message))] };
}

const contentOf = (message: Message): unknown => ({
  type: "message",
  attachments: [
    {
      contentType: "application/vnd.microsoft.card.adaptive",
      contentUrl: null,
      content: {
        $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
        type: "AdaptiveCard",
        version: "1.4",
        body: [
          {
            type: "Container",
            style: styles[message.tone],
            bleed: true,
            items: [
              text(message.title, { size: "Large", weight: "Bolder" }),
              ...(message.reason === "" ? [] : [text(message.reason)]),
            ],
          },
          {
            type: "FactSet",
            facts: message.facts.map(({ name, value }) => ({ title: name, value: escaped(value) })),
          },
          ...message.lines.map((line) => block(lineInMarkdown(line), { spacing: "None" })),
          ...(message.note === "" ? [] : [text(message.note, { separator: true })]),
        ],
        actions: linksWithAcknowledge(message).map(({ label: title, url }) => ({
          type: "Action.OpenUrl",
          title,
          url,
        })),
        msteams: { width: "Full" },
      },
    },
  ],
});

const text = (words: string, look: Look = {}): unknown => block(escaped(words), look);

type Look = Readonly<Record<string, unknown>>;

const block = (markdown: string, look: Look): unknown => ({
  type: "TextBlock",
  text: markdown,
  wrap: true,
  ...look,
});

const sizeOf = (message: Message): number => Buffer.byteLength(JSON.stringify(contentOf(message)));

/** Cards read Markdown, where a single line break is none. */
const escaped = (words: string): string => inMarkdown(words).replaceAll("\n", "\n\n");

const styles: { readonly [T in Tone]: string } = {
  down: "attention",
  slow: "warning",
  up: "good",
  quiet: "emphasis",
};

/** Accepted is not posted, and it says no more. */
function understand(reply: HttpReply, { now }: Scene<"ms_teams">): DeliveryOutcome {
  const { status } = reply;
  if (status === 401 || status === 404)
    return stopped(
      "failing",
      "channel_gone",
      `the flow in ${label} or its owner is gone (${status}): make a new workflow, and use its URL`,
      status,
    );
  return plainOutcome(reply, label, now);
}
