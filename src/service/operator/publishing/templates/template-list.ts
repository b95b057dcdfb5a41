import { counted } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { plannedMark } from "#web/page/verdict-mark";
import { buttonForm } from "#service/operator/form-fields";
import { type KnownReader, mayChange } from "#service/operator/page-request";
import { reportMark } from "#service/operator/publishing/report-views";
import { reportMarkup } from "#service/status-site/view/report-markup";
import type { TemplateRow } from "#service/store/templates/template-store";
import { nameOrder } from "#base/name-order";

interface ListedTemplates {
  readonly page: number;
  readonly templates: readonly TemplateRow[];
  readonly reader: KnownReader;
}

/** What forms of a status page can begin with, below its reports. Null if there is none, for whoever cannot add one. */
export function templateSection({ page, templates, reader }: ListedTemplates): Html | null {
  if (templates.length === 0 && !mayChange(reader)) return null;
  const path = `/status-pages/${page}/templates`;
  const sorted = templates.toSorted((a, b) => nameOrder(a.name, b.name));
  return html`<section aria-labelledby="templates">
    <h2 id="templates">Templates</h2>
    <p class="advice">
      Words for what happens again: the form of a report, or of an update of planned work, begins
      with them.
    </p>
    ${
      mayChange(reader)
        ? html`<p class="acts">
            <a class="button" href="${path}/new">Add one for reports</a>
            <a class="button" href="${path}/new?for=maintenance">Add one for maintenance</a>
          </p>`
        : null
    }
    ${
      sorted.length === 0
        ? null
        : html`<ul class="watched incidents">
            ${sorted.map((one) => templateLine(one, reader))}
          </ul>`
    }
  </section>`;
}

function templateLine(template: TemplateRow, reader: KnownReader): Html {
  const { id, page, use, name, title, message, impacts } = template;
  const path = `/status-pages/${page}/templates/${id}`;
  const about = [
    ...(title === "" ? [] : [`“${title}”`]),
    ...(impacts.length === 0 ? [] : [counted(impacts.length, "component")]),
  ];
  return html`<li class="incident">
    ${use === "report" ? reportMark(template) : plannedMark("Maintenance")}
    <h3>${name}</h3>
    <p class="kind">${about.join(", ")}</p>
    <div class="why">
      <div class="said">${reportMarkup(message)}</div>
      ${
        mayChange(reader)
          ? html`<div class="acts">
              <a class="button small" href="${path}/edit" aria-label="Edit: ${name}">Edit</a>
              ${buttonForm(`${path}/remove`, reader, "Delete", name)}
            </div>`
          : null
      }
    </div>
  </li>`;
}
