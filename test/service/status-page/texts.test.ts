import { expect, test } from "vitest";
import { locales } from "#service/status-page/page-definition";
import { pageTexts } from "#service/status-page/texts/page-texts";

/* What no compiler knows of the languages of status pages. That each has every text, the compiler holds. */

/** Every text by its path, e.g. `news.subscribe`. */
function textsIn(part: object, path = ""): readonly (readonly [path: string, text: string])[] {
  return Object.entries(part).flatMap(([name, value]: [string, unknown]) =>
    typeof value === "string"
      ? [[`${path}${name}`, value] as const]
      : textsIn(Object(value), `${path}${name}.`),
  );
}

const english = new Map(textsIn(pageTexts.en));
const digitsIn = (text: string): string => (text.match(/\d+/g) ?? []).toSorted().join(" ");
const translated = locales.filter((locale) => locale !== "en");

/** Words that two languages share. */
const shared: ReadonlySet<string> = new Set(["Maintenance", "Contact", "Website", "Feeds"]);

test.each(translated)("%s has every text, and the figures of the English one", (locale) => {
  const own = textsIn(pageTexts[locale]);
  expect(own.map(([path]) => path).toSorted()).toEqual([...english.keys()].toSorted());
  const odd = own.filter(([path, text]) => {
    const figures = digitsIn(english.get(path) ?? "");
    return figures !== "" && digitsIn(text) !== figures;
  });
  expect(odd).toEqual([]);
});

test.each(translated)(
  "no text of %s is empty, has a space at its edge, or is the English one",
  (locale) => {
    const odd = textsIn(pageTexts[locale]).filter(
      ([path, text]) =>
        path !== "colon" &&
        (text.trim() !== text || text === "" || (text === english.get(path) && !shared.has(text))),
    );
    expect(odd).toEqual([]);
  },
);

test.each(translated)("a sentence of %s ends as the English one does", (locale) => {
  const endOf = (text: string): string => /[.?।]$/.exec(text)?.[0].replace("।", ".") ?? "";
  const odd = textsIn(pageTexts[locale]).filter(
    ([path, text]) => endOf(text) !== endOf(english.get(path) ?? ""),
  );
  expect(odd).toEqual([]);
});

test.each([
  ["hi", /^[\p{Script=Devanagari}\p{Nd}\s\p{P}]+$/u],
  ["ko", /^[\p{Script=Hangul}\p{Nd}\s\p{P}]+$/u],
  ["fr", /^[\p{Script=Latin}\p{Nd}\s\p{P}]+$/u],
  ["de", /^[\p{Script=Latin}\p{Nd}\s\p{P}]+$/u],
  ["tr", /^[\p{Script=Latin}\p{Nd}\s\p{P}]+$/u],
] as const)("%s is written in its script alone", (locale, script) => {
  // A quantile is called p95 in every script, and the zone of the pages UTC.
  const plain = (text: string): string => text.replaceAll(/\bp(?=\d\d\b)|\bUTC\b/g, "");
  expect(textsIn(pageTexts[locale]).filter(([, text]) => !script.test(plain(text)))).toEqual([]);
});

test("French has its space before a colon and a question mark, and never one that breaks", () => {
  const odd = textsIn(pageTexts.fr).filter(([, text]) => /(^|[^\u00a0])[:?!]/.test(text));
  expect(odd).toEqual([]);
});
