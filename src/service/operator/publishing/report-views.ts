import { dayAndTime, isoTime } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { verdictMark } from "#web/page/verdict-mark";
import { buttonForm } from "#service/operator/form-fields";
import { type FormNotice, noticeLine } from "#service/operator/form-notice";
import { may } from "#service/operator/roles";
import { type KnownReader, mayChange } from "#service/operator/page-request";
import {
  impactWords,
  reportForm,
  type ReportFields,
  reportWords,
} from "#service/operator/publishing/report-form";
import { reportMarkup } from "#service/status-site/view/report-markup";
import type { ComponentRow, PageContent, ReportRow, ReportUpdate } from "#service/store/page-store";

export interface ReportPage {
  readonly report: ReportRow;
  readonly content: PageContent;
  readonly fields: ReportFields;
  readonly reader: KnownReader;
  readonly notice: FormNotice | null;
}

/** One report: what was said, the newest first, and a form to say more. */
export function reportView({ report, content, fields, reader, notice }: ReportPage): Html {
  const { page, components } = content;
  const concerned = components.filter(({ id }) => report.components.includes(id));
  const path = `/reports/${report.id}`;
  return html`<p class="back"><a href="/status-pages/${page.id}">${page.definition.title}</a></p>
    <h1 class="target">${report.title}</h1>
    <p class="verdict">
      ${reportMark(report)}
      <span class="kind"
        >${concerned.length === 0 ? "the page as a whole" : concerned.map(({ name }) => name).join(", ")}</span
      >
    </p>
    ${noticeLine(notice)}
    ${may(reader, "responder") ? reportForm(path, "update", fields, components, reader) : null}
    <section aria-labelledby="updates">
      <h2 id="updates">Updates, the newest first</h2>
      <ul class="watched incidents">
        ${report.updates.map((update) => updateLine(update, components))}
      </ul>
    </section>
    ${mayChange(reader) ? buttonForm(`${path}/delete`, reader, "Delete", `the report ${report.title}`) : null}`;
}

export const reportMark = ({ status }: Pick<ReportRow, "status">): Html =>
  verdictMark(status === "resolved" ? "success" : "degraded", reportWords[status]);

function updateLine(
  { status, at, message, impacts }: ReportUpdate,
  components: readonly ComponentRow[],
): Html {
  const nameOf = (id: number): string =>
    components.find((one) => one.id === id)?.name ?? "a removed part";
  const said = impacts.map(
    ({ component, impact }) => `${nameOf(component)}: ${impactWords[impact]}`,
  );
  return html`<li class="incident">
    ${reportMark({ status })}
    <h3><time datetime="${isoTime(at)}">${dayAndTime(at)}</time></h3>
    <p class="kind">${said.join("; ")}</p>
    <div class="why">${reportMarkup(message)}</div>
  </li>`;
}
