import { expect, test } from "vitest";
import { statusFailed } from "#check/failure";
import { providers } from "#service/notify/channel";
import { exampleRendering } from "#service/notify/preview/example-rendering";
import { lookView } from "#service/notify/preview/look-view";
import { lookOf } from "#service/notify/preview/message-looks";
import { epochMillis, minutes } from "#base/units";

const example = {
  service: { name: "Picket", url: "https://picket.test/" },
  at: epochMillis(Date.parse("2026-11-22T14:02:15Z")),
  timeZone: "Europe/Berlin",
  remindsAfter: minutes(240),
};
const wordsOf = (markup: string): string =>
  markup.replaceAll(/<[^>]+>/g, "").replaceAll(/\s+/g, " ");

test.each(providers)(
  "an example at %s says what failed, and since when in its zone",
  (provider) => {
    const { text } = lookView(lookOf(provider, exampleRendering(provider, example)));
    const words = wordsOf(text);
    expect(words).toContain("shop");
    expect(words).toContain(provider === "sms" ? "" : "he target answered 503 Service Unavailable");
    if (provider === "webhook")
      expect(words.replaceAll("&quot;", '"')).toContain(`"errorMessage": "${statusFailed(503)}"`);
    if (provider !== "webhook" && provider !== "sms") expect(words).toContain("15:02");
    expect(words).not.toMatch(/undefined|\[object|null,? ?null/);
    expect(text).not.toMatch(/<a |href|style=/);
  },
);

test("a mail is shown as its HTML, with buttons that lead nowhere, and its text is folded", () => {
  const { text } = lookView(lookOf("email", exampleRendering("email", example)));
  expect(text).toContain("Subject: Down: shop");
  expect(text).toMatch(/<p class="mail-head down"[^>]*>Down: shop<\/p>/);
  expect(text).toContain('<span class="press main">Acknowledge</span>');
  expect(text).toContain('<span class="press">Open the monitor</span>');
  expect(text).toMatch(/<th scope="row">Since<\/th>\s*<td dir="auto">22 Nov 2026, 15:02:10 CET/);
  expect(text).not.toMatch(/<style|<main|<h1|<footer/);
  expect(text).toMatch(/<details id="plain">\s*<summary>The same as plain text/);
});

test("bold words are bold and links are their words, without the marks of the provider", () => {
  const { text } = lookView(lookOf("slack", exampleRendering("slack", example)));
  expect(text).toMatch(/<b><span class="link">Down: shop<\/span><\/b>/);
  expect(text).not.toContain("*");
  expect(text).not.toContain("|");
});

test.each(providers)("hostile text stays text at %s", (provider) => {
  const rendering = exampleRendering(provider, {
    ...example,
    service: { name: "<img src=x onerror=alert(1)>*_[x](https://a.test)", url: null },
  });
  const { text } = lookView(lookOf(provider, rendering));
  expect(text).not.toMatch(/<img/);
});
