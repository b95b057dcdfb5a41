import type { FormFields, Choice } from "#check/form-field";
import { type FormGroup, openGroup } from "#service/operator/forms/form-group";
import { typedFor } from "#service/operator/forms/form-reading";
import {
  type Impact,
  impacts,
  type ReportStatus,
  reportStatuses,
} from "#service/status-page/report-words";
import type { ReportRow, ReportUpdate } from "#service/store/page-store";

export const reportWords: { readonly [S in ReportStatus]: string } = {
  investigating: "Investigating",
  identified: "Identified",
  monitoring: "Monitoring",
  resolved: "Resolved",
};

export const impactWords: { readonly [I in Impact]: string } = {
  operational: "Operational",
  degraded_performance: "Degraded performance",
  partial_outage: "Partial outage",
  major_outage: "Major outage",
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
    help: "",
    control: {
      is: "choice",
      choices: reportStatuses.map((one): Choice => [one, reportWords[one]]),
    },
  },
  message: {
    group: "what",
    label: "Message",
    help: "What is wrong, and what you do about it. Markdown: **bold**, lists, links.",
    control: { is: "long", lines: 6 },
  },
  components: {
    group: "affected",
    label: "Components",
    help: "None: the report is about the page as a whole.",
    control: { is: "several" },
  },
  impact: {
    group: "affected",
    label: "Impact",
    help: "",
    control: {
      is: "choice",
      choices: [["", "No change"], ...impacts.map((one): Choice => [one, impactWords[one]])],
    },
  },
} as const satisfies FormFields;

const notify = {
  group: "says",
  label: "Send it to the subscribers of the page",
  help: "",
  control: { is: "flag" },
} as const;

/** A new report, a further update of one, or an update that is corrected, which is sent to no one again. */
export const reportFields: { readonly [K in ReportFormKind]: FormFields } = {
  report: { title, ...said, notify },
  update: { ...said, notify },
  correction: said,
};
export type ReportFormKind = "report" | "update" | "correction";

export const reportGroups: readonly FormGroup[] = [
  openGroup("what", "What you say"),
  openGroup("affected", "What is affected"),
  openGroup("says", "Who gets it"),
];

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

export const typedDraft = (draft: ReportDraft): URLSearchParams =>
  typedFor(reportFields.report, { ...draft, components: draft.components.map(String) });

/** The form of the next update of a report. */
export const typedNext = (
  { status, components }: Pick<ReportRow, "status" | "components">,
  message = "",
): URLSearchParams => typedDraft({ ...emptyDraft, status, components, message });

/** An update as it can be corrected: the form has one impact for all of its components. */
export const typedUpdate = ({ status, message, impacts: stated }: ReportUpdate): URLSearchParams =>
  typedDraft({
    title: "",
    status,
    message,
    components: stated.map(({ component }) => component),
    impact: stated[0]?.impact ?? "",
  });
