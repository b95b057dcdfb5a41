import { violationsOf } from "#check/read-monitor";
import * as checkLimits from "#limits/check-limits";
import { undoneAtOnce } from "#limits/pages-limits";
import { counted, grouped } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { Refusal, refuseViolations, violation } from "#service/edge/call-refusal";
import { type PageAnswer, seeOther } from "#service/edge/page-answer";
import { withUndo } from "#service/operator/deleting/undo-form";
import { manyActs, type ManyAct } from "#service/operator/monitors/many-form";
import {
  areKnown,
  knownField,
  remarksView,
  type SaveRemarks,
} from "#service/operator/monitors/before-saving";
import { remarksAt } from "#service/operator/monitors/many-remarks";
import { readOverviewQuery } from "#service/operator/overview-query";
import { matchingMonitors } from "#service/operator/pictures/monitor-search";
import {
  framed,
  type FormRequest,
  type KnownReader,
  type OperatorForm,
  type PageContext,
  withNotice,
} from "#service/operator/page-request";
import { integerOf, locationId, type MonitorId, monitorId } from "#service/store/ids";
import type { MonitorChange } from "#service/store/monitor-change";
import type { MonitorRow } from "#service/store/state-store";

/** `/monitors/many`: one thing is done with every monitor that is selected. What files own stays as it is. */
const manyForm: OperatorForm = {
  role: "editor",
  path: /^\/monitors\/many$/,
  act: async (context, request) => {
    const { form } = request;
    const act = manyActs.find((one) => one === form.get("act"));
    if (act === undefined)
      throw violation({ field: "act", message: `must be one of ${manyActs.join(", ")}` });
    const back = `/${form.get("query") ?? ""}`;
    const rows = await selected(context, request);
    const ours = rows.filter(({ owner }) => owner === "");
    const left = rows.length - ours.length;
    if (ours.length === 0) return seeOther(withNotice(safe(back), left === 0 ? "none" : "files"));
    const isAsked = wasAsked(ours, form);
    if (act === "delete" && !isAsked) return askPage(context, request.reader, ours, form);
    const change = await changeOf(context, act, ours, form);
    if (change.kind === "location" && change.assigned) {
      const remarks = await remarksAt(context.rooms, change.location, ours);
      if (!areKnown(remarks, form) || (form.has(knownField) && !isAsked))
        return remarksPage(context, request.reader, ours, form, remarks);
    }
    const done = await context.rooms.monitors.changeEach(
      ours.map(({ id }) => id),
      change,
    );
    if (act === "delete" && done.length <= undoneAtOnce)
      return seeOther(withUndo(safe(back), "monitor", done));
    return seeOther(withNotice(safe(back), `${act}.${done.length}.${left}`));
  },
};

/** `/monitors/ID/pause` and `/resume`: the same with one. */
const switchForm = (act: "pause" | "resume"): OperatorForm => ({
  role: "editor",
  path: new RegExp(`^/monitors/(?<id>\\d{1,15})/${act}$`),
  act: async ({ rooms }, { id }) => {
    const row = await rooms.monitors.get(id);
    if (row.owner !== "")
      throw new Refusal(
        "failed_precondition",
        `it is managed by the files of ${row.owner}: change it there`,
      );
    await rooms.monitors.changeEach([row.id], { kind: "active", active: act === "resume" });
    return seeOther(withNotice(`/monitors/${row.id}`, `${act}d`));
  },
});

export const manyForms: readonly OperatorForm[] = [
  manyForm,
  switchForm("pause"),
  switchForm("resume"),
];

/** Only a query of the overview leads back: no other address does. */
const safe = (path: string): string => (/^\/(?:\?[^#\\]*)?$/.test(path) ? path : "/");

/** The monitors whose boxes are ticked, or all that the overview's search finds. */
async function selected(
  { rooms, pictures }: PageContext,
  { form }: FormRequest,
): Promise<readonly MonitorRow[]> {
  if (!form.has("all")) return rooms.monitors.among(idsIn(form));
  const reading = readOverviewQuery(new URLSearchParams(form.get("query") ?? ""));
  if (!reading.ok) throw new Refusal("invalid_argument", reading.message);
  const picture = await pictures.now();
  return rooms.monitors.among(
    matchingMonitors(picture, reading.query).map(({ id }) => monitorId(id)),
  );
}

const idsIn = (form: URLSearchParams): readonly MonitorId[] =>
  form.getAll("monitor").flatMap((text) => {
    const integer = integerOf(text);
    return integer === null ? [] : [monitorId(integer)];
  });

async function changeOf(
  context: PageContext,
  act: ManyAct,
  rows: readonly MonitorRow[],
  form: URLSearchParams,
): Promise<MonitorChange> {
  switch (act) {
    case "pause":
    case "resume":
      return { kind: "active", active: act === "resume" };
    case "label":
    case "unlabel":
      return labelChange(act, rows, form);
    case "assign":
    case "unassign":
      return assignment(context, act === "assign", rows, form);
    case "delete":
      return { kind: "delete" };
  }
}

/** The label has to keep the rules of each monitor that gets it. */
function labelChange(
  act: "label" | "unlabel",
  rows: readonly MonitorRow[],
  form: URLSearchParams,
): MonitorChange {
  const key = (form.get("key") ?? "").trim();
  const value = (form.get("value") ?? "").trim();
  if (key === "") throw violation({ field: "label", message: "is required, e.g. team" });
  if (act === "unlabel") return { kind: "label", key, value: null };
  for (const { definition } of rows) {
    const labels = { ...definition.labels, [key]: value };
    const wrong = violationsOf({ ...definition, labels }, "management").filter(({ field }) =>
      field.startsWith("labels"),
    );
    refuseViolations(
      wrong.map(({ message }) => ({ field: `labels of ${definition.name}`, message })),
    );
  }
  return { kind: "label", key, value };
}

async function assignment(
  { rooms }: PageContext,
  assigned: boolean,
  rows: readonly MonitorRow[],
  form: URLSearchParams,
): Promise<MonitorChange> {
  const { id, name, owner, monitors } = await rooms.locations.get(form.get("location") ?? "");
  if (owner !== "")
    throw new Refusal(
      "failed_precondition",
      `the location "${name}" is managed by the files of ${owner}: change it there`,
    );
  const all = new Set([...monitors, ...rows.map((row) => row.id)]);
  if (assigned && all.size > checkLimits.monitorsPerAgentMax)
    throw violation({
      field: "location",
      message: `would have ${all.size} monitors, more than the ${checkLimits.monitorsPerAgentMax} that one agent runs`,
    });
  return { kind: "location", location: locationId(id), assigned };
}

/** Says what is to be known before it is done, and does it at the second press. */
function remarksPage(
  context: PageContext,
  reader: KnownReader,
  rows: readonly MonitorRow[],
  form: URLSearchParams,
  remarks: SaveRemarks,
): PageAnswer {
  const location = form.get("location") ?? "";
  const content = html`<h1 class="page">Assign ${counted(rows.length, "monitor")}?</h1>
    ${remarksView(remarks)}
    ${manyAgain(reader, rows, form, {
      hidden: [
        ["act", "assign"],
        ["location", location],
        [knownField, remarks.known],
      ],
      button: html`<button type="submit">Assign anyway</button>`,
    })}`;
  return asked(context, reader, "Monitors · Picket", content);
}

interface ManyAgain {
  readonly hidden: readonly (readonly [name: string, value: string])[];
  readonly button: Html;
}

/** Whether the page before it asked for as many: a search may find more since. */
const wasAsked = (rows: readonly MonitorRow[], form: URLSearchParams): boolean =>
  form.has("all")
    ? rows.length <= Number(form.get("count") ?? 0)
    : form.has("sure") || form.has(knownField);

/** A form that does it with the same monitors: all that the search finds again, for there may be too many to name. */
const manyAgain = (
  reader: KnownReader,
  rows: readonly MonitorRow[],
  form: URLSearchParams,
  { hidden, button }: ManyAgain,
): Html => {
  const query = form.get("query") ?? "";
  return html`<form method="post" action="/monitors/many" class="act">
    <input type="hidden" name="form" value="${reader.formToken}" />
    ${[...hidden, ["query", query] as const].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    ${
      form.has("all")
        ? html`<input type="hidden" name="all" value="yes" />
            <input type="hidden" name="count" value="${rows.length}" />`
        : rows.map(({ id }) => html`<input type="hidden" name="monitor" value="${id}" />`)
    }
    ${button}
    <a href="${safe(`/${query}`)}">Cancel</a>
  </form>`;
};

const asked = (
  { rooms }: PageContext,
  reader: KnownReader,
  title: string,
  content: Html,
): PageAnswer => {
  const at = rooms.clock.wall();
  return framed({ reader }, { title, section: "monitors", document: null, at, content });
};

/** Asks once before many are deleted. */
function askPage(
  context: PageContext,
  reader: KnownReader,
  rows: readonly MonitorRow[],
  form: URLSearchParams,
): PageAnswer {
  const shown = rows.slice(0, 20).map(({ definition }) => html`<li>${definition.name}</li>`);
  const content = html`<h1 class="page">Delete ${counted(rows.length, "monitor")}?</h1>
    ${form.has("sure") ? html`<p class="advice" role="alert">Nothing is deleted yet: the search finds more monitors now.</p>` : null}
    <p class="advice">
      Their results go with them, and they leave the status pages that show them. ${undoWords(rows)}
    </p>
    <ul>
      ${shown}
    </ul>
    ${rows.length > shown.length ? html`<p>And ${grouped(rows.length - shown.length)} more.</p>` : null}
    ${manyAgain(reader, rows, form, {
      hidden: [
        ["act", "delete"],
        ["sure", "yes"],
      ],
      button: html`<button type="submit" class="danger">
        Delete ${counted(rows.length, "monitor")}
      </button>`,
    })}`;
  return asked(context, reader, "Delete monitors · Picket", content);
}

const undoWords = ({ length }: readonly MonitorRow[]): string =>
  length > undoneAtOnce
    ? `You cannot undo this: only ${grouped(undoneAtOnce)} at once can be put back.`
    : "You can undo this for ten minutes.";

const deeds: { readonly [A in ManyAct]: string } = {
  pause: "paused",
  resume: "resumed",
  label: "labelled",
  unlabel: "without the label",
  assign: "assigned to the location",
  unassign: "taken from the location",
  delete: "deleted",
};

/** What became of it, by the word in the overview's address. */
export function manyNotice(query: URLSearchParams): Html | null {
  const notice = query.get("notice") ?? "";
  if (notice === "none") return line("Nothing is selected: tick the boxes of monitors first.");
  if (notice === "files") return line("Files manage all of these: change them there.");
  const [, word, done, left = "0"] = /^(\w+)\.(\d{1,6})\.(\d{1,6})$/.exec(notice) ?? [];
  const act = manyActs.find((one) => one === word);
  if (act === undefined) return null;
  const count = Number(done);
  const files =
    Number(left) === 0 ? "" : ` ${counted(Number(left), "monitor")} of files stay as they were.`;
  return line(`${counted(count, "monitor")} ${count === 1 ? "is" : "are"} ${deeds[act]}.${files}`);
}

const line = (words: string): Html => html`<p class="notice" role="status">${words}</p>`;
