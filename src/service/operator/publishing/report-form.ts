import { create } from "@bufbuild/protobuf";
import type { Choice, FormFields } from "#check/form-field";
import {
  AddStatusReportUpdateRequestSchema,
  CreateStatusReportRequestSchema,
} from "#contract/openstatus/status_report/v1/status_report_pb";
import { isoTime } from "#web/page/format";
import {
  correctedBounds,
  endMistake,
  firstBounds,
  furtherBounds,
  timeIn,
  timeMistake,
  type TimeBounds,
} from "#service/operator/publishing/report-time";
import { asBegun, endOf } from "#service/operator/publishing/past-report";
import type { Html } from "#web/page/html";
import type { FormState } from "#service/operator/forms/form-group";
import { byReturn } from "#service/operator/forms/form-rows";
import { formView } from "#service/operator/forms/form-view";
import { previewButton } from "#service/operator/message-preview";
import type { KnownReader } from "#service/operator/page-request";
import { refuseViolations } from "#service/edge/call-refusal";
import type { Mistake } from "#check/findings";
import { refuseGone } from "#service/operator/gone-choices";
import type { PageRooms } from "#service/operator/page-rooms";
import {
  leavingBy,
  reportFields,
  type ReportFormKind,
  reportGroups,
  typedUpdate,
} from "#service/operator/publishing/report-fields";
import {
  impactIn,
  lostImpacts,
  missingImpact,
  refuseUnknownImpacts,
  ownImpacts,
  statedImpacts,
  withoutComponents,
  withOthers,
} from "#service/operator/publishing/report-impacts";
import { reportPreview } from "#service/operator/publishing/report-preview";
import { notifyField } from "#service/operator/publishing/sent-news";
import { type Audience, audienceOf } from "#service/operator/publishing/subscriber-count";
import { addUpdate, correctUpdate, createReport, refuseTitle } from "#service/api/report-api";
import type { UpdateFieldName } from "#service/status-page/part-definitions";
import { integerOf } from "#service/store/ids";
import { impacts, reportStatuses } from "#service/status-page/report-words";
import { noReport } from "#service/status-site/page-refusals";
import type { ComponentRow, PageContent, ReportRow, ReportUpdate } from "#service/store/page-store";
import type { MessageWith } from "#wire/message-with";
import { numberOf } from "#wire/enum-words";
import type { EpochMillis } from "#base/units";

interface ReportFormView {
  readonly kind: ReportFormKind;
  readonly action: string;
  readonly state: FormState;
  readonly content: PageContent;
  /** Null: it is a new one. */
  readonly report: ReportRow | null;
  /** The update that gets other words; null: it is a further one. */
  readonly corrected: ReportUpdate | null;
  readonly now: EpochMillis;
  readonly reader: KnownReader;
  readonly cancel: string;
  /** The field in which a person begins to type; left out: the cursor is in none as the page opens. */
  readonly begins?: string;
  /** Fields that no person sees. */
  readonly hidden?: Readonly<Record<string, string>>;
  /** Above its fields. */
  readonly lead: Html | null;
  /** On its button, if that says something else. */
  readonly submit?: string;
  /** Which open reports are about the same, for the preview. */
  readonly already?: Html | null;
  /** Whom it reaches if it is sent; left out: it is sent to no one. */
  readonly audience?: Audience;
}

const submitWords: { readonly [K in ReportFormKind]: string } = {
  report: "Publish the report",
  update: "Publish the update",
  correction: "Save",
};

/** A form that says something about components: a new report, an update of one, or other words for an update. */
export const reportForm = ({
  kind,
  content,
  report,
  corrected,
  now,
  hidden = {},
  already = null,
  submit = submitWords[kind],
  audience,
  ...view
}: ReportFormView): Html =>
  formView({
    ...view,
    fields: withAudience(fieldsFor(kind, content, view.state.typed), content, audience ?? null),
    groups: reportGroups[kind],
    choices: { components: content.components.map(({ id, name }): Choice => [String(id), name]) },
    hidden,
    actions: null,
    extra: reportPreview({
      kind,
      content,
      report,
      corrected,
      now,
      typed: view.state.typed,
      already,
      audience: audience ?? null,
    }),
    isLocked: false,
    isNew: kind === "report",
    // What Return sends by mistake would be mailed at once: without a script it shows the preview.
    returns: previewButton,
    ...(view.state.typed.get(previewButton) === byReturn ? { continues: "message" } : {}),
    submit,
  });

/** A page without components has none to choose: its reports are about the page as a whole. */
const fieldsFor = (
  kind: ReportFormKind,
  { components }: PageContent,
  typed: URLSearchParams,
): FormFields =>
  components.length > 0
    ? { ...reportFields[kind], ...ownImpacts(components, typed) }
    : withoutComponents(reportFields[kind]);

/** Whoever sends it reads first how many people and programs that reaches. */
const withAudience = (
  { notify, ...fields }: FormFields,
  { page }: PageContent,
  audience: Audience | null,
): FormFields =>
  notify === undefined || audience === null
    ? fields
    : { ...fields, notify: notifyField(page, audience) };

/** Of what a form says: a report that is there stays about its components. */
export const audienceIn = (
  rooms: Pick<PageRooms, "store">,
  { page, components }: Pick<ReportRow, "page" | "components">,
  typed: URLSearchParams,
): Promise<Audience> => {
  const ticked = typed.getAll("components").flatMap((id) => integerOf(id) ?? []);
  return audienceOf(rooms, page, [...new Set([...components, ...ticked])]);
};

/** A report that is there. */
export async function reportAt({ store }: PageRooms, id: string): Promise<ReportRow> {
  const report = await store.pages.reports.get(Number(id));
  if (report === null) throw noReport(id);
  return report;
}

/** An update by the fields of its call. */
const updateOf = (
  typed: URLSearchParams,
  at: EpochMillis,
): MessageWith<typeof AddStatusReportUpdateRequestSchema, UpdateFieldName> => ({
  status: numberOf(reportStatuses, typed.get("status") ?? ""),
  message: (typed.get("message") ?? "").trim(),
  date: isoTime(at),
  componentImpacts: typed.getAll("components").map((pageComponentId) => ({
    pageComponentId,
    impact: numberOf(impacts, impactIn(typed, pageComponentId) ?? ""),
  })),
  notify: typed.has("notify"),
});

/** Keeps a new report of a page; its id. */
export async function writeReport(
  rooms: PageRooms,
  page: number,
  typed: URLSearchParams,
): Promise<number> {
  const title = (typed.get("title") ?? "").trim();
  const now = rooms.clock.wall();
  const bounds = firstBounds(now);
  const { page: kept, components } = await rooms.statusPages.content(page);
  const { definition } = kept;
  const locale = definition.defaultLocale;
  const update = updateOf(asBegun(typed, locale), timeIn(typed, bounds) ?? bounds.latest);
  const wrongEnd = endMistake(typed, now);
  // All at once: the rules of a report stop at the first.
  await refuseWrongParts(rooms, page, typed, bounds, [
    ...["title", "message"].flatMap((field) =>
      (typed.get(field) ?? "").trim() === "" ? [{ field, message: "is required" }] : [],
    ),
    ...missingImpact(typed, components),
    ...(wrongEnd === null ? [] : [wrongEnd]),
  ]);
  const wanted = { ...update, pageId: String(page), title };
  const end = endOf(typed, now, locale);
  return createReport(rooms, create(CreateStatusReportRequestSchema, wanted), end);
}

/** What was deleted in another tab, what no form offers, and other mistakes are said at their fields. */
async function refuseWrongParts(
  { statusPages }: PageRooms,
  page: number,
  typed: URLSearchParams,
  bounds: TimeBounds,
  others: readonly Mistake[] = [],
): Promise<readonly ComponentRow[]> {
  const { components } = await statusPages.content(page);
  refuseGone("components", typed.getAll("components"), components);
  refuseUnknownImpacts(typed);
  const wrongTime = timeMistake(typed, bounds);
  const lost = lostImpacts(typed, components);
  refuseViolations([...others, ...lost, ...(wrongTime === null ? [] : [wrongTime])]);
  return components;
}

/** Keeps a further update of a report. */
export async function writeUpdate(
  rooms: PageRooms,
  report: ReportRow,
  typed: URLSearchParams,
): Promise<void> {
  const bounds = furtherBounds(report, rooms.clock.wall());
  await refuseWrongParts(rooms, report.page, typed, bounds);
  const at = timeIn(typed, bounds) ?? bounds.latest;
  await addUpdate(rooms, updateRequest(report.id, typed, at));
}

/** Puts what the form says in place of what an update said, and the title in place of the report's. */
export async function rewriteUpdate(
  rooms: PageRooms,
  report: ReportRow,
  update: ReportUpdate,
  { typed, title }: { readonly typed: URLSearchParams; readonly title: string },
): Promise<void> {
  const { id, page } = report;
  refuseTitle(title);
  const bounds = correctedBounds(report, update, rooms.clock.wall());
  const components = await refuseWrongParts(rooms, page, typed, bounds);
  const whole = withOthers(typed, update.impacts, components.length);
  const request = updateRequest(id, whole, timeIn(typed, bounds, update.at) ?? update.at);
  // What was left alone is kept as it is.
  const kept =
    statedImpacts(whole) === statedImpacts(typedUpdate(update, report)) ? update.impacts : null;
  const leaving = leavingBy(update, report, whole);
  await correctUpdate(rooms, update.id, request, { kept, leaving });
  if (title !== report.title)
    await rooms.store.pages.reports.change(id, { title, components: null }, rooms.clock.wall());
}

const updateRequest = (report: number, typed: URLSearchParams, at: EpochMillis) =>
  create(AddStatusReportUpdateRequestSchema, {
    ...updateOf(typed, at),
    statusReportId: String(report),
  });
