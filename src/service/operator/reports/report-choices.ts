import { pairWords } from "#service/operator/lists/label-words";
import { choiceField } from "#service/operator/form-fields";
import { linkedPeriods, namedPeriods } from "#service/operator/reports/named-periods";
import { reportedDaysWords, type TypedDays } from "#service/operator/reports/report-period";
import type { MonthChoice, ReportChoice } from "#service/operator/reports/uptime-report";
import { html, type Html } from "#web/page/html";

interface OfferedChoices {
  readonly choice: ReportChoice;
  readonly typed: TypedDays;
  readonly months: readonly MonthChoice[];
  readonly labels: readonly string[];
  readonly pages: readonly { readonly id: number; readonly title: string }[];
}

/** The choice as an address has it. */
export const reportQuery = (choice: ReportChoice): string =>
  new URLSearchParams([...periodFields(choice), ...Object.entries(monitorsOf(choice))]).toString();

type Field = [name: string, value: string];

const periodFields = ({ named, period: { kind, name } }: ReportChoice): readonly Field[] => {
  if (named !== null) return [["period", named]];
  if (kind === "month") return [["month", name]];
  const [from = "", to = ""] = name.split("/");
  return [
    ["from", from],
    ["to", to],
  ];
};

const monitorsOf = ({ label, page }: ReportChoice): Record<string, string> => ({
  ...(label === "" ? {} : { label }),
  ...(page === null ? {} : { page: String(page) }),
});

const hidden = ([name, value]: readonly [string, string]): Html =>
  html`<input type="hidden" name="${name}" value="${value}" />`;

/** What a report is of: a form, the days up to now and the months next to the one that is shown, and a form for other days. */
export function choiceForm(offered: OfferedChoices): Html {
  const { choice, months, labels, pages } = offered;
  const isOwn = isCustom(choice);
  const named = namedPeriods.map(({ name, words }): MonthChoice => [name, words]);
  const periods = [...(isOwn ? [otherDays] : []), ...named, ...months];
  const any = ["", "any"] as const;
  const listed = labels.map((one) => [one, pairWords(one)] as const);
  return html`<div class="choices">
    <form role="search" class="filter instant" method="get" action="/uptime">
      ${isOwn ? periodFields(choice).map(hidden) : null}
      ${choiceField("Period", "period", periods, choice.named ?? (isOwn ? "" : choice.period.name))}
      ${choiceField("Label", "label", [any, ...listed], choice.label)}
      ${choiceField(
        "Status page",
        "page",
        [any, ...pages.map(({ id, title }) => [String(id), title] as const)],
        choice.page === null ? "" : String(choice.page),
      )}
      <button type="submit">Show</button>
    </form>
    ${daysForm(offered)} ${quickLinks(choice, months)}
  </div>`;
}

/** Days that a person typed. */
const isCustom = ({ named, period }: ReportChoice): boolean =>
  named === null && period.kind === "days";

/** A period that is chosen counts more than the days that were. */
const otherDays: MonthChoice = ["", "Custom range"];

/** Days from one to another, which are those of UTC as all of a report. */
function daysForm({ choice, typed }: OfferedChoices): Html {
  const isOwn = isCustom(choice);
  const { fault } = typed;
  return html`<details
    class="drop own-range${isOwn ? " chosen" : ""}"
    ${fault === null ? null : html` open`}
  >
    <summary>${isOwn ? reportedDaysWords(choice.period) : "Custom range"}</summary>
    <div class="dropped">
      <form class="filter" method="get" action="/uptime">
        ${Object.entries(monitorsOf(choice)).map(hidden)} ${dayField("From", "from", typed)}
        ${dayField("To", "to", typed)}
        <button type="submit">Show</button>
      </form>
    </div>
  </details>`;
}

function dayField(words: string, name: "from" | "to", { fault, ...typed }: TypedDays): Html {
  const id = `${name}-fault`;
  const line = fault?.about === name ? fault.words : null;
  return html`<label
      >${words} (UTC)
      <input
        type="date"
        name="${name}"
        value="${typed[name]}"
        required
        ${line === null ? null : html` aria-invalid="true" aria-describedby="${id}"`}
    /></label>
    ${line === null ? null : html`<p class="wrong-line" id="${id}" role="alert">${line}</p>`}`;
}

/** The last days, and the month before and after the one that is shown, if there are. */
function quickLinks(choice: ReportChoice, months: readonly MonthChoice[]): Html {
  const link = (name: string, words: string, whole = words): Html => {
    const query = new URLSearchParams([["period", name], ...Object.entries(monitorsOf(choice))]);
    const current = name === choice.named ? html` aria-current="true"` : null;
    return html`<li>
      <a href="/uptime?${query.toString()}" aria-label="${whole}" ${current}>${words}</a>
    </li>`;
  };
  const at = months.findIndex(([name]) => name === choice.period.name);
  const [before, next] = at < 0 ? [] : [months[at + 1], months[at - 1]];
  return html`<nav class="ranges" aria-label="Last days, and months">
    <ul>
      ${linkedPeriods.map(({ name, words }) => link(name, words.replace("Last ", ""), words))}
      ${before === undefined ? null : link(before[0], `← ${before[1]}`)}
      ${next === undefined ? null : link(next[0], `${next[1]} →`)}
    </ul>
  </nav>`;
}
