import { expect, test } from "vitest";
import { html } from "#web/page/html";
import { linkedText } from "#web/page/linked-text";

const markupOf = (text: string): string => html`${linkedText(text)}`.text;

const linksIn = (text: string): readonly string[] =>
  [...markupOf(text).matchAll(/href="([^"]*)"/g)].map(([, to = ""]) => to);

test("addresses in a text are links, without the punctuation after them, and nothing else is", () => {
  expect(linksIn("Runbook: https://wiki.test/billing?a=1&b=2. Ask (http://a.test/).")).toEqual([
    "https://wiki.test/billing?a=1&amp;b=2",
    "http://a.test/",
  ]);
  expect(linksIn("javascript:alert(1) //evil.test")).toEqual([]);
  expect(markupOf('<b>https://a.test/"x</b>')).not.toContain("<b>");
});
