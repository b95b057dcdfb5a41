import { mkdirSync } from "node:fs";
import path from "node:path";
import { type Provider, providers } from "#service/notify/channel";
import { rulesOf } from "#service/notify/provider-table";
import { html, Html } from "#web/page/html";
import { startBrowser } from "../test/support/browser.ts";
import { notices, rendered } from "../test/support/notices.ts";

/**
 * docs/pictures/notification-*.png: what the renderers send for a shop that is down, drawn from the requests themselves, as
 * near to the provider's own look as a page can be.
 */
const folder = path.resolve(import.meta.dirname, "../docs/pictures");

/** A body as JSON has it: a part that is missing shows as a gap in the picture. */
type Body = ReturnType<typeof JSON.parse>;

const rich = (text: string): Html =>
  new Html(
    html`${text}`.text
      .replace(/&lt;(https?:[^|&]+)\|(.+?)&gt;/g, '<a href="$1">$2</a>')
      .replace(/(?<!\\)\[([^\]]+)\]\((https?:[^)]+)\)/g, '<a href="$2">$1</a>')
      .replace(/\*([^*\n]+)\*/g, "<b>$1</b>")
      .replace(/\\([^A-Za-z0-9\s])/g, "$1")
      .replaceAll("&amp;", "&"),
  );

const lines = (text: string): Html => html`<p class="lines">${rich(text)}</p>`;
const buttons = (labels: readonly string[]): Html =>
  html`<p>${labels.map((label) => html`<span class="button">${label}</span>`)}</p>`;
const card = (colour: string, content: Html): Html =>
  html`<div class="card" style="border-color: ${colour}">${content}</div>`;
const table = (rows: Readonly<Record<string, unknown>>): Html =>
  html`<dl>
    ${Object.entries(rows).map(
      ([name, value]) =>
        html`<dt>${name}</dt>
          <dd>${String(value)}</dd>`,
    )}
  </dl>`;

const looks: {
  readonly [P in Exclude<Provider, "email" | "sms" | "whatsapp">]: (body: Body) => Html;
} = {
  discord: ({ embeds: [embed] }) =>
    card(
      `#${Number(embed?.["color"]).toString(16)}`,
      html`<h2>${rich(embed?.["title"] ?? "")}</h2>
        ${lines(embed?.["description"] ?? "")}
        ${table(
          Object.fromEntries(
            (embed?.["fields"] ?? []).map((one: Body) => [
              one["name"],
              rich(one["value"] ?? "").text,
            ]),
          ),
        )}`,
    ),
  slack: ({ text, attachments: [one] }) =>
    html`${lines(text ?? "")}
    ${card(
      one?.["color"] ?? "",
      html`${(one?.["blocks"] ?? []).map((block: Body) =>
        block["type"] === "actions"
          ? buttons(
              (block["elements"] ?? []).map((element: Body) => element["text"]?.["text"] ?? ""),
            )
          : lines(block["text"]?.["text"] ?? ""),
      )}`,
    )}`,
  google_chat: ({ text }) => lines(text ?? ""),
  ms_teams: ({ attachments: [one] }) => {
    const [head, facts, ...rest] = one?.["content"]?.["body"] ?? [];
    return card(
      "#c4314b",
      html`${(head?.["items"] ?? []).map((item: Body, index: number) =>
        index === 0 ? html`<h2>${rich(item["text"] ?? "")}</h2>` : lines(item["text"] ?? ""),
      )}
      ${table(
        Object.fromEntries(
          (facts?.["facts"] ?? []).map((fact: Body) => [
            fact["title"],
            rich(fact["value"] ?? "").text,
          ]),
        ),
      )}
      ${rest.map((block: Body) => lines(block["text"] ?? ""))}
      ${buttons((one?.["content"]?.["actions"] ?? []).map((action: Body) => action["title"] ?? ""))}`,
    );
  },
  // Its text is HTML already, escaped by the renderer.
  telegram: ({ text }) => html`<p class="lines">${new Html(text ?? "")}</p>`,
  ntfy: ({ title, message, priority, actions }) =>
    html`<h2>${title ?? ""}</h2>
      <p class="small">priority ${priority ?? ""}</p>
      ${lines(message ?? "")}
      ${buttons((actions ?? []).map((action: Body) => action["label"] ?? ""))}`,
  pagerduty: ({ payload, dedup_key: key }) =>
    html`<h2>${payload?.["summary"] ?? ""}</h2>
      <p class="small">severity ${payload?.["severity"] ?? ""} · ${key ?? ""}</p>
      ${table({ ...payload?.["custom_details"] })}`,
  opsgenie: ({ message, priority, alias, description }) =>
    html`<h2>${priority ?? ""} ${message ?? ""}</h2>
      <p class="small">${alias ?? ""}</p>
      ${lines(description ?? "")}`,
  grafana_oncall: ({ title, state, message }) =>
    html`<h2>${title ?? ""}</h2>
      <p class="small">${state ?? ""}</p>
      ${lines(message ?? "")}`,
  webhook: (body) => html`<pre>${JSON.stringify(body, null, 2)}</pre>`,
};

function drawn(provider: Provider): string {
  const made = rendered(provider, notices["monitor.error"]);
  if (made.is === "mail") return made.mail.html;
  const [request] = made.is === "requests" ? made.requests : [];
  const text = request?.body ?? "";
  switch (provider) {
    case "email":
      return "";
    case "sms":
      return framed(provider, bubble(new URLSearchParams(text).get("Body") ?? ""));
    case "whatsapp": {
      const texts: Body = JSON.parse(new URLSearchParams(text).get("ContentVariables") ?? "{}");
      const said = `${texts["1"]}: ${texts["2"]} since ${texts["3"]}. ${texts["4"]} ${texts["5"]}`;
      return framed(provider, bubble(said));
    }
    default:
      return framed(provider, looks[provider](JSON.parse(text)));
  }
}

const bubble = (text: string): Html => html`<p class="bubble">${text}</p>`;

const style = `
body {
  margin: 0;
  padding: 14px 18px;
  background: #fff;
  color: #1d1f23;
  font:
    14px/1.45 system-ui,
    "DejaVu Sans",
    sans-serif;
}
h1 {
  margin: 0 0 10px;
  font-size: 12px;
  font-weight: 600;
  color: #646b76;
}
h2 {
  margin: 0 0 6px;
  font-size: 16px;
}
p {
  margin: 0 0 8px;
}
.lines {
  white-space: pre-line;
}
.small {
  color: #646b76;
  font-size: 12px;
}
.card {
  border-left: 4px solid;
  padding: 8px 12px;
  background: #f6f7f8;
}
.button {
  display: inline-block;
  margin: 0 6px 6px 0;
  padding: 4px 10px;
  border: 1px solid #b8bec7;
  border-radius: 4px;
}
.bubble {
  display: inline-block;
  max-width: 320px;
  padding: 10px 14px;
  border-radius: 16px;
  background: #e8eaed;
}
dl {
  display: grid;
  grid-template-columns: 110px 1fr;
  gap: 2px 10px;
  margin: 0;
}
dt {
  color: #646b76;
}
dd {
  margin: 0;
}
pre {
  margin: 0;
  font:
    12px/1.35 "DejaVu Sans Mono",
    monospace;
  white-space: pre-wrap;
}
`;

const framed = (provider: Provider, content: Html): string =>
  html`<!doctype html>
    <style>
      ${new Html(style)}
    </style>
    <h1>${rulesOf(provider).label}</h1>
    ${content}`.text;

mkdirSync(folder, { recursive: true });
const browser = await startBrowser();
try {
  for (const provider of providers) {
    const page = await browser.newPage({ viewport: { width: 560, height: 80 } });
    await page.setContent(drawn(provider));
    await page.screenshot({
      path: path.join(folder, `notification-${provider.replaceAll("_", "-")}.png`),
      fullPage: true,
    });
    await page.close();
  }
} finally {
  await browser.close();
}
