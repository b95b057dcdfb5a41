import { parsedJson, isMapping } from "#base/json";
import type { Provider } from "#service/notify/channel";
import { mailLook } from "#service/notify/preview/mail-look";
import { sentAt, sentList, sentText } from "#service/notify/preview/sent-body";
import type { Rendering } from "#service/notify/provider";

/** A message as people see it at its provider, in the order of its parts. */
export interface MessageLook {
  /** A card has a bar of colour at its side; a bubble is what a telephone shows. */
  readonly frame: "card" | "bubble" | "plain";
  readonly parts: readonly LookPart[];
}

export type LookPart =
  | { readonly is: "title"; readonly text: string; readonly markup: Markup }
  /** Small and quiet. */
  | { readonly is: "note"; readonly text: string }
  /** Keeps its line breaks. */
  | { readonly is: "text"; readonly text: string; readonly markup: Markup }
  | {
      readonly is: "facts";
      readonly rows: readonly (readonly [name: string, value: string])[];
      readonly markup: Markup;
    }
  | { readonly is: "buttons"; readonly labels: readonly string[] }
  | { readonly is: "code"; readonly text: string }
  /** Of our own renderer, which escaped every value. */
  | { readonly is: "mail"; readonly markup: string }
  /** What few people look at. */
  | { readonly is: "folded"; readonly summary: string; readonly text: string };

/** How bold words and links are written: by marks of the provider, or as HTML. */
export type Markup = "none" | "marks" | "html";

/** Reads back what a provider is sent, and gives it as its readers see it. */
export function lookOf(provider: Provider, rendering: Rendering): MessageLook {
  switch (rendering.is) {
    case "nothing":
      return { frame: "plain", parts: [note(rendering.why)] };
    case "mail":
      return {
        frame: "plain",
        parts: [
          note(`Subject: ${rendering.mail.subject}`),
          { is: "mail", markup: mailLook(rendering.mail.html) },
          { is: "folded", summary: "The same as plain text", text: rendering.mail.text },
        ],
      };
    case "requests": {
      const [request] = rendering.requests;
      return looks[provider](request?.body ?? "");
    }
  }
}

const title = (said: string, markup: Markup = "none"): LookPart => ({
  is: "title",
  text: said,
  markup,
});
const text = (said: string, markup: Markup = "none"): LookPart => ({
  is: "text",
  text: said,
  markup,
});
const note = (said: string): LookPart => ({ is: "note", text: said });
const buttons = (labels: readonly string[]): LookPart => ({ is: "buttons", labels });

const looks: { readonly [P in Provider]: (body: string) => MessageLook } = {
  discord: (body) => discordLook(sentAt(parsedJson(body), "embeds", 0)),
  email: (body) => ({ frame: "plain", parts: [text(body)] }),
  google_chat: (body) => ({
    frame: "plain",
    parts: [text(sentText(parsedJson(body), "text"), "marks")],
  }),
  grafana_oncall: (body) => {
    const said = parsedJson(body);
    return {
      frame: "plain",
      parts: [
        title(sentText(said, "title")),
        note(sentText(said, "state")),
        text(sentText(said, "message"), "marks"),
      ],
    };
  },
  ntfy: (body) => {
    const said = parsedJson(body);
    return {
      frame: "plain",
      parts: [
        title(sentText(said, "title")),
        note(`priority ${sentText(said, "priority")}`),
        text(sentText(said, "message")),
        buttons(sentList(said, "actions").map((one) => sentText(one, "label"))),
      ],
    };
  },
  pagerduty: (body) => pagerdutyLook(parsedJson(body)),
  opsgenie: (body) => {
    const said = parsedJson(body);
    return {
      frame: "plain",
      parts: [
        title(`${sentText(said, "priority")} ${sentText(said, "message")}`),
        note(sentText(said, "alias")),
        text(sentText(said, "description")),
      ],
    };
  },
  slack: (body) => slackLook(parsedJson(body)),
  sms: (body) => ({
    frame: "bubble",
    parts: [text(new URLSearchParams(body).get("Body") ?? "")],
  }),
  telegram: (body) => ({
    frame: "plain",
    // Its text is HTML already, escaped by the renderer.
    parts: [text(sentText(parsedJson(body), "text"), "html")],
  }),
  webhook: (body) => ({
    frame: "plain",
    parts: [{ is: "code", text: JSON.stringify(parsedJson(body), null, 2) }],
  }),
  whatsapp: (body) => {
    const said = parsedJson(new URLSearchParams(body).get("ContentVariables") ?? "");
    const [state, name, since, reason, link] = [1, 2, 3, 4, 5].map((at) => sentText(said, at));
    return {
      frame: "bubble",
      parts: [text(`${state}: ${name} since ${since}. ${reason} ${link}`)],
    };
  },
  ms_teams: (body) => teamsLook(sentAt(parsedJson(body), "attachments", 0, "content")),
};

const discordLook = (embed: unknown): MessageLook => ({
  frame: "card",
  parts: [
    title(sentText(embed, "title"), "marks"),
    text(sentText(embed, "description"), "marks"),
    factsOf(sentList(embed, "fields"), "name"),
  ],
});

const factsOf = (rows: readonly unknown[], name: string): LookPart => ({
  is: "facts",
  rows: rows.map((row) => [sentText(row, name), sentText(row, "value")]),
  markup: "marks",
});

function pagerdutyLook(said: unknown): MessageLook {
  const details = sentAt(said, "payload", "custom_details");
  const rows = Object.entries(isMapping(details) ? details : {}).map(
    ([name, value]) => [name, String(value)] as const,
  );
  return {
    frame: "plain",
    parts: [
      title(sentText(said, "payload", "summary")),
      note(`severity ${sentText(said, "payload", "severity")} · ${sentText(said, "dedup_key")}`),
      { is: "facts", rows, markup: "none" },
    ],
  };
}

function slackLook(said: unknown): MessageLook {
  const blocks = sentList(said, "attachments", 0, "blocks");
  return {
    frame: "card",
    parts: [
      text(sentText(said, "text"), "marks"),
      ...blocks.map((block) =>
        sentText(block, "type") === "actions"
          ? buttons(sentList(block, "elements").map((one) => sentText(one, "text", "text")))
          : text(sentText(block, "text", "text"), "marks"),
      ),
    ],
  };
}

function teamsLook(card: unknown): MessageLook {
  const [head, facts, ...rest] = sentList(card, "body");
  return {
    frame: "card",
    parts: [
      ...sentList(head, "items").map((item, index) =>
        index === 0
          ? title(sentText(item, "text"), "marks")
          : text(sentText(item, "text"), "marks"),
      ),
      factsOf(sentList(facts, "facts"), "title"),
      ...rest.map((block) => text(sentText(block, "text"), "marks")),
      buttons(sentList(card, "actions").map((action) => sentText(action, "title"))),
    ],
  };
}
