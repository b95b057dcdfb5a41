import type { Locale } from "#status/page-definition";
import { english } from "#status/texts/english";
import { french } from "#status/texts/french";
import { german } from "#status/texts/german";
import { hindi } from "#status/texts/hindi";
import { korean } from "#status/texts/korean";
import type { PageTexts } from "#status/texts/page-text-list";
import { turkish } from "#status/texts/turkish";

/** What status pages say, in every language that they may be in. */
export const pageTexts: { readonly [L in Locale]: PageTexts } = {
  en: english,
  fr: french,
  de: german,
  tr: turkish,
  hi: hindi,
  ko: korean,
};
