import { expect, test } from "vitest";
import { breakable } from "#web/page/breakable";
import { html } from "#web/page/html";

const markupOf = (name: string): string => html`${breakable(name)}`.text;

test.each([
  ["Shop", "Shop"],
  ["Card payments of the shop", "Card payments of the shop"],
  ["10.0.0.1:22/a", "10.0.0.1:22/a"],
  ["127.0.0.1:9101/health", "127.<wbr />0.<wbr />0.<wbr />1:<wbr />9101/<wbr />health"],
  [
    "https://shop.internal/?a=1&b",
    "https://<wbr />shop.<wbr />internal/?<wbr />a=<wbr />1&amp;<wbr />b",
  ],
  [
    "<b>a.very.long.name.of.it",
    "&lt;b&gt;a.<wbr />very.<wbr />long.<wbr />name.<wbr />of.<wbr />it",
  ],
])("%s is broken after its marks, and only if it is long", (name, markup) => {
  expect(markupOf(name)).toBe(markup);
});
