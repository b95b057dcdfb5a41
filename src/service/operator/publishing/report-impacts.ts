import type { Choice, FormField, FormFields } from "#check/form-field";
import { counted } from "#web/page/format";
import * as limits from "#limits/status-limits";
import { refuseViolations } from "#service/edge/call-refusal";
import type { Mistake } from "#check/findings";
import { foldedGroup, type FormGroup } from "#service/operator/forms/form-group";
import { type Impact, impacts } from "#service/status-page/report-words";
import { english } from "#service/status-page/texts/english";
import type { ComponentRow, ReportUpdate } from "#service/store/page-store";

/* One impact is for all components that are ticked, and each may have another one. */

/** What the public page calls a component that has this impact. */
export const impactWords: { readonly [I in Impact]: string } = {
  operational: english.state.operational,
  degraded_performance: english.state.degraded,
  partial_outage: english.state.partial_outage,
  major_outage: english.state.major_outage,
};

const choices = impacts.map((one): Choice => [one, impactWords[one]]);

/** Of all that are ticked. */
export const sharedImpact: FormField = {
  group: "what",
  label: "Impact",
  help: "Of all that are ticked, unless one has another below.",
  control: { is: "choice", choices: [["", "No change"], ...choices] },
};

const ownImpact = (label: string): FormField => ({
  group: "each",
  label,
  help: "",
  control: { is: "choice", choices: [["", "As above"], ...choices], isQuiet: true },
});

/** The group of these. */
export const ownImpactsGroup: FormGroup = {
  ...foldedGroup("each", "Another impact for some", "It counts for components that are ticked."),
  none: "All have the impact above",
};

/** The fields of a form of a page without components: it asks for none. */
export const withoutComponents = ({
  components: _components,
  impact: _impact,
  ...others
}: FormFields): FormFields => others;

const fieldName = (component: number | string): string => `impact.${component}`;

/** A field for each component, those that are ticked first; none for a single one, which has the impact above. */
export function ownImpacts(
  components: readonly Pick<ComponentRow, "id" | "name">[],
  typed: URLSearchParams,
): FormFields {
  if (components.length < 2) return {};
  const ticked = new Set(typed.getAll("components"));
  const isTicked = ({ id }: Pick<ComponentRow, "id">): boolean => ticked.has(String(id));
  const first = [...components.filter(isTicked), ...components.filter((one) => !isTicked(one))];
  return Object.fromEntries(
    first
      .slice(0, limits.ownImpactsMax)
      .map(({ id, name }) => [fieldName(id), ownImpact(name)] as const),
  );
}

/** What a form says of a component; null if it says nothing. */
export function impactIn(typed: URLSearchParams, component: number | string): Impact | null {
  const said = typed.get(fieldName(component)) || typed.get("impact");
  return impacts.find((one) => one === said) ?? null;
}

/** What an impact that says nothing is called in a form. */
export const noImpact = {
  report: "Not chosen",
  update: "No change",
  correction: "No change",
} as const;

/** The shared impact of a new report, which has nothing before it that could stay: it is asked once a component is ticked. */
export const firstImpact: FormField = {
  ...sharedImpact,
  control: { is: "choice", choices: [["", noImpact.report], ...choices] },
};

/** Whether a form says an impact of all that are ticked, and none is. */
export const isOfNone = (typed: URLSearchParams): boolean =>
  (typed.get("impact") ?? "") !== "" && !typed.has("components");

/** What is missing of a new report's impacts, with the first of the components that have none. */
export function missingImpact(
  typed: URLSearchParams,
  components: readonly Pick<ComponentRow, "id" | "name">[],
): readonly Mistake[] {
  const ticked = new Set(typed.getAll("components"));
  const unsaid = components.filter(
    ({ id }) =>
      ticked.has(String(id)) && ((typed.get(fieldName(id)) || typed.get("impact")) ?? "") === "",
  );
  const [first] = unsaid;
  if (first === undefined) return [];
  const more = unsaid.length === 1 ? "" : ` and ${counted(unsaid.length - 1, "other")}`;
  const verb = unsaid.length === 1 ? "is" : "are";
  const message = `is missing: choose how badly ${first.name}${more} ${verb} affected, or Operational if ${unsaid.length === 1 ? "it works" : "they work"}`;
  return [{ field: "impact", message }];
}

/** An impact of no component would be kept nowhere. A page without components asks for none. */
export function lostImpacts(
  typed: URLSearchParams,
  components: readonly Pick<ComponentRow, "id">[],
): readonly Mistake[] {
  const ticked = new Set(typed.getAll("components"));
  const lost = components.filter(
    ({ id }) => !ticked.has(String(id)) && (typed.get(fieldName(id)) ?? "") !== "",
  );
  return [
    ...(components.length > 0 && isOfNone(typed)
      ? [
          {
            field: "components",
            message: "are missing: tick those that have this impact",
          },
        ]
      : []),
    ...lost.map(({ id }) => ({
      field: fieldName(id),
      message: "has an impact here, but is not ticked: tick it, or choose “As above”",
    })),
  ];
}

/** An impact that no form offers is refused at its field: it would be read as one that says nothing. */
export function refuseUnknownImpacts(typed: URLSearchParams): void {
  const known: ReadonlySet<string> = new Set(["", ...impacts]);
  const wrong = [...typed].filter(
    ([name, said]) => (name === "impact" || name.startsWith("impact.")) && !known.has(said),
  );
  if (wrong.length === 0) return;
  const message = `must be one of: ${impacts.map((one) => impactWords[one]).join(", ")}`;
  refuseViolations(wrong.map(([field]) => ({ field, message })));
}

/** The same impacts as a form shows them: the first one for all, and those that differ from it. */
export function typedImpacts(
  stated: ReportUpdate["impacts"],
): readonly (readonly [string, Impact])[] {
  const shared = stated[0]?.impact;
  return stated.flatMap(({ component, impact }) =>
    impact === shared ? [] : [[fieldName(component), impact] as const],
  );
}

/** A form with what it has no fields for, of a page with more components: what was said of them is kept. */
export function withOthers(
  typed: URLSearchParams,
  stated: ReportUpdate["impacts"],
  components: number,
): URLSearchParams {
  if (components <= limits.ownImpactsMax) return typed;
  const whole = new URLSearchParams(typed);
  for (const [name, impact] of typedImpacts(stated)) if (!typed.has(name)) whole.set(name, impact);
  return whole;
}

/** What is said of each that is ticked, to find out whether it was changed. */
export const statedImpacts = (typed: URLSearchParams): string =>
  typed
    .getAll("components")
    .map((id) => `${id}:${impactIn(typed, id) ?? ""}`)
    .toSorted()
    .join();

/** What works again has one impact, whatever each had. */
export function withoutOwnImpacts(typed: URLSearchParams): void {
  const own = typed.keys().filter((name) => name.startsWith("impact."));
  for (const name of own.toArray()) typed.delete(name);
}
