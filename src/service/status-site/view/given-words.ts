import type { PageWords } from "#service/status-site/view/words";
import { locales } from "#service/status-page/page-definition";
import { type ReportStatus, reportStatuses } from "#service/status-page/report-words";
import { pageTexts } from "#service/status-page/texts/page-texts";

/*
 * What the operator's form fills in as the first words of a report. Left as they are, they are the program's own sentence:
 * each reader has it in their language.
 */

/** What the readers of a language have of an update of a report, as Markdown. */
export function reportText(message: string, { locale, texts }: PageWords): string {
  const status = given.get(message.trim());
  if (status !== undefined) return texts.firstWords[status];
  // Only English has a sentence with the names of the components, which the page says in each language below the title.
  return locale !== "en" && namedTrouble.test(message) ? texts.firstWords.investigating : message;
}

/** Whether no person wrote it. */
export const isGiven = (message: string): boolean => given.has(message.trim());

const given: ReadonlyMap<string, ReportStatus> = new Map(
  locales.flatMap((locale) =>
    reportStatuses.map((status): [string, ReportStatus] => [
      pageTexts[locale].firstWords[status],
      status,
    ]),
  ),
);

/** `We are investigating why Shop and Wiki are not available.` */
const namedTrouble = /^\s*We are investigating why [^\n]+ (?:is|are) (?:not available|slow)\.\s*$/;
