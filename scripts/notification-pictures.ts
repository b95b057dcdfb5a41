import { mkdirSync } from "node:fs";
import path from "node:path";
import { type Provider, providers } from "#service/notify/channel";
import { rulesOf } from "#service/notify/provider-table";
import { lookView } from "#service/notify/preview/look-view";
import { lookOf } from "#service/notify/preview/message-looks";
import { html, Html } from "#web/page/html";
import { startBrowser } from "../test/support/browser.ts";
import { notices, rendered } from "../test/support/notices.ts";

/**
 * docs/pictures/notification-*.png: what the renderers send for a shop that is down, drawn from the requests themselves, as
 * near to the provider's own look as a page can be.
 */
const folder = path.resolve(import.meta.dirname, "../docs/pictures");

function drawn(provider: Provider): string {
  const made = rendered(provider, notices["monitor.error"]);
  return made.is === "mail" ? made.mail.html : framed(provider, lookView(lookOf(provider, made)));
}

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
.title {
  margin: 0 0 6px;
  font-size: 16px;
  font-weight: bold;
}
p {
  margin: 0 0 8px;
}
.lines {
  white-space: pre-line;
}
.note {
  color: #646b76;
  font-size: 12px;
}
.link {
  color: #0645ad;
  text-decoration: underline;
}
.card {
  border-left: 4px solid #e01e5a;
  padding: 8px 12px;
  background: #f6f7f8;
}
.press {
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
