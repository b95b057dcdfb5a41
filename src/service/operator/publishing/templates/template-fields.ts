import type { FormFields } from "#check/form-field";
import { refuseViolations } from "#service/edge/call-refusal";
import { type FormGroup, openGroup } from "#service/operator/forms/form-group";
import { typedFor } from "#service/operator/forms/form-reading";
import { refuseGone } from "#service/operator/gone-choices";
import { templateFields } from "#service/operator/publishing/report-fields";
import {
  impactIn,
  lostImpacts,
  missingImpact,
  ownImpacts,
  ownImpactsGroup,
  refuseUnknownImpacts,
  typedImpacts,
  withoutComponents,
  withOthers,
} from "#service/operator/publishing/report-impacts";
import { reportStatuses } from "#service/status-page/report-words";
import { reportStatusIn } from "#service/status-site/report-message";
import { integerOf } from "#service/store/ids";
import type { PageContent } from "#service/store/page-store";
import type { TemplateDefinition, TemplateUse } from "#service/store/templates/template-store";
import { numberOf } from "#wire/enum-words";

/* The form of a template, by what it is used for. */

const name = {
  group: "template",
  label: "Name",
  help: "You choose the template by it. No reader sees it.",
  control: { is: "text", width: "line", example: "Database is slow" },
} as const;

const message = {
  group: "what",
  label: "Message",
  help: "Markdown: **bold**, lists, links.",
  control: { is: "long", lines: 6 },
} as const;

/** A page without components has none to choose. */
export function fieldsOf(
  use: TemplateUse,
  { components }: PageContent,
  typed: URLSearchParams,
): FormFields {
  if (use === "maintenance") return { name, message };
  const all: FormFields = { name, ...templateFields, message };
  return components.length > 0
    ? { ...all, ...ownImpacts(components, typed) }
    : withoutComponents(all);
}

export const templateGroups: readonly FormGroup[] = [
  openGroup("template", "Template"),
  openGroup("what", "What it says"),
  ownImpactsGroup,
];

/** A template as its form shows it; what it says of components that are gone is left out. */
export function typedTemplate(
  { name: called, title, status, message: said, impacts }: TemplateDefinition,
  { components }: PageContent,
): URLSearchParams {
  const there = new Set(components.map(({ id }) => id));
  const stated = impacts.filter(({ component }) => there.has(component));
  const typed = typedFor(
    { name, ...templateFields },
    {
      name: called,
      title,
      status,
      message: said,
      components: stated.map(({ component }) => String(component)),
      impact: stated[0]?.impact ?? "",
    },
  );
  for (const [field, impact] of typedImpacts(stated)) typed.set(field, impact);
  return typed;
}

/** What the form says. What was deleted in another tab, and other mistakes are said at their fields. */
export function definitionIn(
  use: TemplateUse,
  sent: URLSearchParams,
  { components }: PageContent,
  before: TemplateDefinition["impacts"] = [],
): TemplateDefinition {
  const typed = withOthers(sent, before, components.length);
  const words = (field: string): string => (typed.get(field) ?? "").trim();
  const said = { name: words("name"), title: words("title"), message: words("message") };
  const empty = (["name", "message"] as const).filter((field) => said[field] === "");
  const required = empty.map((field) => ({ field, message: "is required" }));
  if (use === "maintenance") {
    refuseViolations(required);
    return { ...said, title: "", status: "investigating", impacts: [] };
  }
  refuseGone("components", typed.getAll("components"), components);
  refuseUnknownImpacts(typed);
  refuseViolations([
    ...required,
    ...missingImpact(typed, components),
    ...lostImpacts(typed, components),
  ]);
  const status = reportStatusIn("status", numberOf(reportStatuses, typed.get("status") ?? ""));
  const impacts = typed.getAll("components").flatMap((id) => {
    const [component, impact] = [integerOf(id), impactIn(typed, id)];
    return component === null || impact === null ? [] : [{ component, impact }];
  });
  return { ...said, status, impacts };
}
