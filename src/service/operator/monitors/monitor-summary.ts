import { alertPolicyDefault } from "#check/alert-policy";
import { assertionWords } from "#check/assertion-words";
import type { Choice } from "#check/form-field";
import { kindTable } from "#check/kinds/kind-table";
import type { Mistake } from "#check/findings";
import type { Kind } from "#check/monitor";
import { parseDnsUri } from "#check/target";
import { summarySentencesMax } from "#limits/pages-limits";
import { showHostPort } from "#network/host-port";
import { labelIn } from "#service/operator/forms/field-view";
import type { FixedBox } from "#service/operator/forms/shown-form";
import { rowCount } from "#service/operator/forms/form-rows";
import { periodWords } from "#service/operator/monitors/common-fields";
import { monitorFields } from "#service/operator/monitors/fields-of-kinds";
import { timeoutBefore } from "#service/operator/monitors/slow-threshold";
import { targetField } from "#service/operator/monitors/target-field";
import { severalTargets } from "#service/operator/pasted/several-targets";
import { html, type Html } from "#web/page/html";

interface SummaryFacts {
  readonly kind: Kind;
  readonly typed: URLSearchParams;
  readonly locations: readonly Choice[];
  /** Locations of files, which have it or not. */
  readonly fixed: readonly FixedBox[];
  /** Who is notified of a failure, as a sentence. */
  readonly notified: string;
  /** What the rules refuse of it: no sentence repeats that. */
  readonly wrong: readonly Mistake[];
  /** What its button says; empty if it is made. */
  readonly button: string;
}

type Facts = Pick<SummaryFacts, "kind" | "typed" | "locations" | "fixed" | "wrong">;

/** What a form makes, in plain words, and what to do next. A script renews it as the form changes. */
export const monitorSummary = (facts: SummaryFacts): Html =>
  html`<section class="group sums" aria-labelledby="sums-title">
    <h2 id="sums-title">Summary</h2>
    <ul id="sums">
      ${sentencesOf(facts).map((one) => html`<li>${one}</li>`)}${nextStep(facts)}
    </ul>
  </section>`;

function sentencesOf(facts: SummaryFacts): readonly string[] {
  const slow = valid("degraded_at", facts);
  return [
    checked(facts),
    `It passes if ${passes(facts)}.`,
    ...(slow === "" ? [] : [slowWords(slow, facts)]),
    ...incident(facts),
    facts.notified,
  ];
}

function slowWords(slow: string, { typed }: SummaryFacts): string {
  const timeout = timeoutBefore(typed);
  return timeout === null
    ? `Above ${slow} it is degraded.`
    : `It is never degraded above ${slow}, because it fails at ${timeout}.`;
}

/** What is typed in a field; empty if that is refused. */
const valid = (field: string, { typed, wrong }: Pick<Facts, "typed" | "wrong">): string =>
  wrong.some((one) => one.field === field) ? "" : (typed.get(field) ?? "").trim();

/** The fields to fill in or to correct, then the button; null: what is checked says it. */
function nextStep({ kind, typed, locations, wrong, button }: SummaryFacts): Html | null {
  const order = Object.keys(monitorFields(kind));
  const place = ({ field }: Mistake): number => order.indexOf(field.split(/[[.]/, 1)[0] ?? "");
  const sorted = wrong.toSorted((a, b) => place(a) - place(b));
  const labels = [...new Map(sorted.map(({ field }) => [field, labelOf(kind, field)])).entries()];
  const isMissing = ([field]: readonly [string, string]): boolean =>
    (typed.get(field) ?? "") === "";
  const acts = [
    ...actOn("fill in", labels.filter(isMissing)),
    ...actOn(
      "correct",
      labels.filter((one) => !isMissing(one)),
    ),
  ];
  if (acts.length > 0) return html`<li class="next">Next: ${acts.join(", then ")}.</li>`;
  const isIdle = typed.has("active") && locations.length > 0 && !typed.has("locations");
  return button !== "" && !isIdle ? html`<li class="next">Next: press ${button}.</li>` : null;
}

/** A field of a rule is called by the rule: `JSON rule 1`. */
const labelOf = (kind: Kind, field: string): string =>
  labelIn(monitorFields(kind), field).label.replace(/^[^,]+, (.+): .+$/, "$1");

function actOn(verb: string, fields: readonly (readonly [string, string])[]): readonly string[] {
  const names = [...new Set(fields.map(([, label]) => `“${label}”`))];
  const shown = names.slice(0, summarySentencesMax);
  if (shown.length === 0) return [];
  const more = names.length - shown.length;
  const [last = "", ...before] = [...shown, ...(more === 0 ? [] : [`${more} more`])].toReversed();
  const others = before.toReversed().join(", ");
  return [`${verb} ${others === "" ? last : `${others} and ${last}`}`];
}

function checked({ kind, typed, locations, fixed, wrong }: Facts): string {
  const target = valid(targetField(kind), { typed, wrong });
  const several = severalTargets(target);
  const one = target === "" ? "The target" : targetWords(kind, target);
  const what = several === null ? one : `Each of the ${several.length} addresses`;
  if (!typed.has("active")) return `${what} is not checked: the monitor is paused.`;
  const ticked = typed.getAll("locations");
  const names = [
    ...locations.filter(([id]) => ticked.includes(id)).map(([, name]) => name),
    ...fixed.filter(({ isTicked }) => isTicked).map(({ words }) => words),
  ];
  if (names.length === 0) return `${what} is checked by no one${whyNone(locations, fixed)}.`;
  const places = names.length > 2 ? `${names.length} locations` : names.join(" and ");
  const often = valid("periodicity", { typed, wrong });
  return `${what} is checked ${often === "" ? "" : `${periodWords(often)} `}from ${places}.`;
}

function whyNone(locations: readonly Choice[], fixed: readonly FixedBox[]): string {
  if (locations.length > 0) return ": tick a location";
  return fixed.length === 0
    ? " yet: there is no location"
    : " yet: every location belongs to files";
}

/** As it is shown elsewhere; of a DNS monitor that asks one name server, with that. */
function targetWords(kind: Kind, target: string): string {
  const read = kind === "dns" ? parseDnsUri(target) : null;
  if (read?.ok !== true || read.value.server === null) return kindTable[kind].shownUri(target);
  const { name, server } = read.value;
  return `${name} at the name server ${showHostPort(server.host, server.port)}`;
}

/** How each list of assertions begins, as reports write one. */
const subjects: Readonly<Record<string, (row: (column: string) => string) => string>> = {
  status_code_assertions: () => "status",
  body_assertions: () => "body",
  header_assertions: (row) => `header ${row("key")}`,
  json_assertions: (row) => `json ${row("path")}`,
  record_assertions: (row) => row("record"),
  loss_assertions: () => "loss",
  latency_assertions: () => "latency",
};

function passes(facts: Facts): string {
  const { kind, typed } = facts;
  const rules = Object.entries(subjects).flatMap(([field, subject]) =>
    rulesIn(field, subject, facts),
  );
  const isStatusJudged = kind !== "http" || rowCount(typed, "status_code_assertions") > 0;
  const all = [...(rules.length > 0 && isStatusJudged ? [] : [kindTable[kind].passesIf]), ...rules];
  const shown = all.slice(0, summarySentencesMax);
  const more = all.length - shown.length;
  const timeout = valid("timeout", facts);
  return `${shown.join(" and ")}${more === 0 ? "" : `, and ${more} more`}${timeout === "" ? "" : `, within ${timeout}`}`;
}

function rulesIn(
  field: string,
  subject: (row: (column: string) => string) => string,
  { typed, wrong }: Facts,
): readonly string[] {
  return Array.from({ length: rowCount(typed, field) }, (_, index) => {
    const at = `${field}[${index}]`;
    if (wrong.some((one) => one.field === at || one.field.startsWith(`${at}.`))) return [];
    const row = (column: string): string => typed.get(`${at}.${column}`) ?? "";
    const target = row("target");
    const value = /^-?\d+(?:\.\d+)?(?: (?:ms|%))?$/.test(target) ? target : JSON.stringify(target);
    const shown = field === "header_assertions" && !isOpenTarget(target) ? "" : ` ${value}`;
    const words = assertionWords(`${subject(row)} ${row("comparator")}${shown}`);
    return words.startsWith("JSON") || /^[A-Z]+ record/.test(words)
      ? [words]
      : [
          `${words.startsWith("Status code ") ? "the " : ""}${words.charAt(0).toLowerCase()}${words.slice(1)}`,
        ];
  }).flat();
}

/** Whether the value of a header is seen in the form: a saved one is not, and one of the location may be guessed by its name. */
export const isOpenTarget = (target: string): boolean =>
  target !== "" && !target.includes("{{secret:");

function incident(facts: Facts): readonly string[] {
  const text = valid("alerting.failures", facts);
  if (text === "" && facts.wrong.some(({ field }) => field === "alerting.failures")) return [];
  const count = /^\d{1,4}$/.test(text) ? Number(text) : alertPolicyDefault.failures;
  return [
    count <= 1
      ? "A failed check opens an incident."
      : `${count} failed checks in a row open an incident.`,
  ];
}
