import { choiceField } from "#service/operator/form-fields";
import type { MonthChoice, ReportChoice } from "#service/operator/reports/uptime-report";
import { html, type Html } from "#web/page/html";

interface OfferedChoices {
  readonly choice: ReportChoice;
  readonly months: readonly MonthChoice[];
  readonly labels: readonly string[];
  readonly pages: readonly { readonly id: number; readonly title: string }[];
}

/** The choice as an address has it. */
export const reportQuery = ({ month, label, page }: ReportChoice): string =>
  new URLSearchParams({
    month: month.name,
    ...(label === "" ? {} : { label }),
    ...(page === null ? {} : { page: String(page) }),
  }).toString();

/** What a report is of: a form, and the months next to the one that is shown. */
export function choiceForm({ choice, months, labels, pages }: OfferedChoices): Html {
  const any = ["", "any"] as const;
  const listed = (all: readonly string[]): readonly (readonly [string, string])[] =>
    all.map((one) => [one, one] as const);
  return html`<div class="choices">
    <form role="search" class="filter instant" method="get" action="/uptime">
      ${choiceField("Month", "month", months, choice.month.name)}
      ${choiceField("Label", "label", [any, ...listed(labels)], choice.label)}
      ${choiceField(
        "Status page",
        "page",
        [any, ...pages.map(({ id, title }) => [String(id), title] as const)],
        choice.page === null ? "" : String(choice.page),
      )}
      <button type="submit">Show</button>
    </form>
    ${monthSteps(choice, months)}
  </div>`;
}

/** The month before and after the one that is shown, if there are. */
function monthSteps(choice: ReportChoice, months: readonly MonthChoice[]): Html | null {
  const at = months.findIndex(([name]) => name === choice.month.name);
  const step = (to: MonthChoice | undefined, arrow: "←" | "→"): Html | null => {
    if (to === undefined) return null;
    const [name, words] = to;
    const query = new URLSearchParams(reportQuery(choice));
    query.set("month", name);
    const text = arrow === "←" ? `← ${words}` : `${words} →`;
    return html`<li><a href="/uptime?${query.toString()}">${text}</a></li>`;
  };
  const steps = [step(months[at + 1], "←"), step(months[at - 1], "→")].filter(
    (one) => one !== null,
  );
  return steps.length === 0
    ? null
    : html`<nav aria-label="Months">
        <ul>
          ${steps}
        </ul>
      </nav>`;
}
