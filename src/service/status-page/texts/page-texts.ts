import type { Locale } from "#service/status-page/page-definition";
import { english } from "#service/status-page/texts/english";
import { french } from "#service/status-page/texts/french";
import { german } from "#service/status-page/texts/german";
import { hindi } from "#service/status-page/texts/hindi";
import { korean } from "#service/status-page/texts/korean";
import type { PageTexts } from "#service/status-page/texts/page-text-list";
import { turkish } from "#service/status-page/texts/turkish";

/** What status pages say, in every language that they may be in. */
export const pageTexts: { readonly [L in Locale]: PageTexts } = {
  en: english,
  fr: french,
  de: german,
  tr: turkish,
  hi: hindi,
  ko: korean,
};
