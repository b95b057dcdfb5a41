import type { FormFields, Choice } from "#check/form-field";
import { foldedGroup, type FormGroup, openGroup } from "#service/operator/forms/form-group";
import { typedFor } from "#service/operator/forms/form-reading";
import {
  firstImpact,
  ownImpactsGroup,
  sharedImpact,
  typedImpacts,
} from "#service/operator/publishing/report-impacts";
import { typedAt } from "#service/operator/publishing/report-time";
import { isSentAtFirst, notifyLabel } from "#service/operator/publishing/sent-news";
import { type Impact, type ReportStatus, reportStatuses } from "#service/status-page/report-words";
import type { ReportRow, ReportUpdate } from "#service/store/page-store";

export const reportWords: { readonly [S in ReportStatus]: string } = {
  investigating: "Investigating",
  identified: "Identified",
  monitoring: "Monitoring",
  resolved: "Resolved",
};

const title = {
  group: "what",
  label: "Title",
  help: "",
  control: { is: "text", width: "line", example: "Card payments are slow" },
} as const;

const said = {
  status: {
    group: "what",
    label: "State",
    help: "Investigating: the cause is not known yet. Identified: it is known. Monitoring: a correction is in place. Resolved: it is over.",
    control: {
      is: "choice",
      choices: reportStatuses.map((one): Choice => [one, reportWords[one]]),
    },
  },
  components: {
    group: "what",
    label: "Components",
    help: "None: the report is about the page as a whole.",
    control: { is: "several" },
  },
  impact: sharedImpact,
  message: {
    group: "what",
    label: "Message",
    help: "What is wrong, and what you do about it. Markdown: **bold**, lists, links.",
    control: { is: "long", lines: 6 },
  },
} as const satisfies FormFields;

const when = {
  group: "when",
  label: "Time",
  help: "Empty: now. Give an earlier time if it was before: page, feeds and mails show that.",
  control: { is: "moment", zone: "reader" },
} as const;

const ofUpdate = {
  ...said.components,
  help: "None: of each component, what was said before stays.",
} as const;

const notify = {
  group: "says",
  label: notifyLabel,
  help: "",
  control: { is: "flag" },
} as const;

/** A new report, a further update of one, or an update that is corrected, which is sent to no one again. */
export const reportFields: { readonly [K in ReportFormKind]: FormFields } = {
  report: {
    title,
    ...said,
    impact: firstImpact,
    notify,
    date: {
      ...when,
      label: "It began",
      help: "Empty: now. If it began earlier, give that time: page, feeds and mails show it.",
    },
    ended: {
      ...when,
      label: "It ended",
      help: "Only if it is over. The page shows it as resolved then, and it is sent to no one.",
    },
  },
  update: { ...said, components: ofUpdate, notify, date: when },
  correction: {
    title: { ...title, help: "Of the whole report. Mails that were sent keep the old one." },
    ...said,
    components: {
      ...ofUpdate,
      help: `${ofUpdate.help} One that no other update names leaves the report.`,
    },
    date: { ...when, help: "Empty: as it was. It stays between the updates before and after it." },
  },
};
/** A template of reports has what a report says, but for its time and whom it is sent to. */
export const templateFields: FormFields = {
  title: { ...title, help: "Of a new report. Empty: the form fills in its own." },
  ...said,
  components: { ...said.components, help: "None: the form fills in what fails." },
  impact: firstImpact,
};

export type ReportFormKind = "report" | "update" | "correction";

export const reportGroups: { readonly [K in ReportFormKind]: readonly FormGroup[] } = {
  report: groupsWith({ ...foldedGroup("when", "When"), none: "Now" }),
  update: groupsWith({ ...foldedGroup("when", "When"), none: "Now" }),
  correction: groupsWith(openGroup("when", "When")),
};

function groupsWith(when: FormGroup): readonly FormGroup[] {
  return [
    // What is affected comes before the message, which follows it, and before whom it reaches, which depends on it.
    openGroup("what", "What you say"),
    ownImpactsGroup,
    when,
    openGroup("says", "Who gets it"),
  ];
}

/** What the form of a new report has in it at first. */
export interface ReportDraft {
  readonly title: string;
  readonly status: ReportStatus;
  readonly message: string;
  readonly components: readonly number[];
  readonly impact: Impact | "";
}

export const emptyDraft: ReportDraft = {
  title: "",
  status: "investigating",
  message: "",
  components: [],
  impact: "",
};

export const typedDraft = (draft: ReportDraft, notify = false): URLSearchParams =>
  typedFor(reportFields.report, { ...draft, components: draft.components.map(String), notify });

/** The form of the next update of a report. */
export const typedNext = (
  { status, components }: Pick<ReportRow, "status" | "components">,
  wasSent: boolean,
  message = "",
): URLSearchParams =>
  typedDraft(
    { ...emptyDraft, status, components, message },
    isSentAtFirst({ is: "further", wasSent }),
  );

/** An update as it can be corrected. */
export function typedUpdate(
  update: ReportUpdate,
  report: Pick<ReportRow, "title" | "components" | "updates">,
): URLSearchParams {
  const { status, message, impacts: stated } = update;
  const { title } = report;
  const typed = typedDraft({
    title,
    status,
    message,
    components:
      stated.length > 0 ? stated.map(({ component }) => component) : withoutImpact(update, report),
    impact: stated[0]?.impact ?? "",
  });
  typed.set("date", typedAt(update.at));
  for (const [name, impact] of typedImpacts(stated)) typed.set(name, impact);
  return typed;
}

/** Components that leave a report if an update of it names these instead: no other update says anything of them. */
export function leavingBy(
  update: ReportUpdate,
  report: Pick<ReportRow, "title" | "components" | "updates">,
  typed: URLSearchParams,
): readonly number[] {
  const named = new Set(typed.getAll("components"));
  const others = report.updates.filter(({ id }) => id !== update.id);
  const stated = new Set(others.flatMap(({ impacts }) => impacts.map((one) => one.component)));
  return typedUpdate(update, report)
    .getAll("components")
    .filter((id) => !named.has(id) && !stated.has(Number(id)))
    .map(Number);
}

/** Components that a report is about, though no update says how badly they are affected: its first one named them. */
function withoutImpact(
  { id }: ReportUpdate,
  { components, updates }: Pick<ReportRow, "components" | "updates">,
): readonly number[] {
  if (id !== updates.at(-1)?.id) return [];
  const stated = new Set(
    updates.flatMap(({ impacts }) => impacts.map(({ component }) => component)),
  );
  return components.filter((one) => !stated.has(one));
}
