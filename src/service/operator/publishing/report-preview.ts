import * as limits from "#limits/status-limits";
import { html, type Html } from "#web/page/html";
import { type Standing, verdictMark } from "#web/page/verdict-mark";
import { messagePreview, audienceWords } from "#service/operator/message-preview";
import { impactWords, type ReportFormKind } from "#service/operator/publishing/report-fields";
import { type Impact, impacts, reportStatuses } from "#service/status-page/report-words";
import { wordsIn } from "#service/status-site/view/words";
import type { ComponentRow, PageContent } from "#service/store/page-store";

interface PreviewedReport {
  readonly kind: ReportFormKind;
  readonly content: PageContent;
  /** Of the report. */
  readonly title: string;
  readonly typed: URLSearchParams;
}

/** What subscribers read of a report, in the page's own language, and what its components show. */
export function reportPreview({ kind, content, title, typed }: PreviewedReport): Html {
  const { page, components } = content;
  const { texts, number } = wordsIn(page.definition.defaultLocale);
  const status = reportStatuses.find((one) => one === typed.get("status")) ?? "investigating";
  const chosen = new Set(typed.getAll("components"));
  const affected = components.filter(({ id }) => chosen.has(String(id)));
  const names = affected.slice(0, limits.affectedNamesMax).map(({ name }) => name);
  const rest = affected.length - names.length;
  const impact = impacts.find((one) => one === typed.get("impact")) ?? null;
  return messagePreview({
    subject:
      title === ""
        ? ""
        : `${texts.report[status]}${texts.colon}${title} · ${page.definition.title}`,
    lines:
      names.length === 0
        ? []
        : [
            `${texts.affected}${texts.colon}${names.join(", ")}${rest === 0 ? "" : ` +${number(rest)}`}`,
          ],
    message: typed.get("message") ?? "",
    after: html`<h3>What is affected</h3>
      ${
        affected.length === 0
          ? html`<p class="help">The page as a whole: no component changes its state.</p>`
          : html`<ul class="affected">
              ${affected.map((one) => affectedLine(one, impact))}
            </ul>`
      }
      <p class="help">
        ${kind === "correction" ? "Mails that were sent stay as they are." : audienceWords(typed, page.definition)}
      </p>`,
  });
}

const affectedLine = ({ name }: ComponentRow, impact: Impact | null): Html =>
  html`<li>
    ${
      impact === null
        ? verdictMark("unchecked", "no change")
        : verdictMark(impactLooks[impact], impactWords[impact])
    }
    <span>${name}</span>
  </li>`;

const impactLooks: { readonly [I in Impact]: Standing } = {
  operational: "success",
  degraded_performance: "degraded",
  partial_outage: "error",
  major_outage: "error",
};
