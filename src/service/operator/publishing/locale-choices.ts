import type { Choice } from "#check/form-field";
import { locales } from "#service/status-page/page-definition";

const languages = new Intl.DisplayNames("en", { type: "language" });
/** The languages that a page has texts in. */
export const localeChoices: readonly Choice[] = locales.map((one) => [
  one,
  languages.of(one) ?? one,
]);

/** What counts if none is ticked. */
export const localesHelp =
  "The language above is one of them. If none is ticked, the page is in that language alone.";
