import * as limits from "#limits/status-limits";
import { namesShown } from "#limits/pages-limits";
import { counted } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { type Standing, verdictMark } from "#web/page/verdict-mark";
import {
  audienceWords,
  besideBox,
  previewSection,
  shownPreview,
} from "#service/operator/message-preview";
import { placeList } from "#service/operator/lists/place-list";
import { belowField } from "#service/operator/forms/refusal-words";
import {
  leavingBy,
  reportFields,
  type ReportFormKind,
} from "#service/operator/publishing/report-fields";
import {
  impactIn,
  impactWords,
  isOfNone,
  noImpact,
} from "#service/operator/publishing/report-impacts";
import {
  correctedBounds,
  endMistake,
  firstBounds,
  furtherBounds,
  isPast,
  timeIn,
  timeMistake,
  type TimeBounds,
} from "#service/operator/publishing/report-time";
import { sendSentence } from "#service/operator/publishing/sent-news";
import type { Audience } from "#service/operator/publishing/subscriber-count";
import { asBegun, endOf } from "#service/operator/publishing/past-report";
import { followedWords } from "#service/operator/publishing/followed-draft";
import { impactNow } from "#service/status-page/impact-spans";
import type { ReportFacts, UpdateFacts } from "#service/status-page/page-facts";
import { type Impact, reportStatuses } from "#service/status-page/report-words";
import { reportArticle } from "#service/status-site/view/report-box";
import { wordsIn } from "#service/status-site/view/words";
import type {
  ComponentRow,
  PageContent,
  ReportEnd,
  ReportRow,
  ReportUpdate,
} from "#service/store/page-store";
import type { EpochMillis } from "#base/units";

interface PreviewedReport {
  readonly kind: ReportFormKind;
  readonly content: PageContent;
  /** Null: it is a new one. */
  readonly report: ReportRow | null;
  /** The update that gets other words; null: the form says a further one. */
  readonly corrected: ReportUpdate | null;
  readonly typed: URLSearchParams;
  readonly now: EpochMillis;
  /** Which open reports are about the same; null: none is, or the form is of one of them. */
  readonly already: Html | null;
  /** Whom it reaches if it is sent; null: it is sent to no one. */
  readonly audience: Audience | null;
}

/** A further update is under the title of its report. */
const typedTitle = ({ kind, report, typed }: PreviewedReport): string =>
  (kind === "update" ? null : typed.get("title")) ?? report?.title ?? "";

/** A report as the page will show it, with all that was said before, in the page's own language. */
export function reportPreview(preview: PreviewedReport): Html {
  const { kind, content, report, typed, now } = preview;
  const { page, components } = content;
  const words = wordsIn(page.definition.defaultLocale, page.definition.timeZone);
  const title = typedTitle(preview).trim();
  const chosen = chosenIn(typed, components);
  const concerned = new Set([...staying(preview), ...chosen.map(({ id }) => id)]);
  const named = components.filter(({ id }) => concerned.has(id));
  const fresh = freshUpdate(preview, chosen);
  const end = report === null ? endOf(typed, now, page.definition.defaultLocale) : null;
  const updates = updatesAfter(preview, fresh, end);
  const shown = {
    id: 0,
    title: title === "" ? "Type a title" : title,
    status: updates[0]?.status ?? "investigating",
    components: [...concerned],
    updates,
  };
  const seen = reportArticle(
    { report: shown, names: namesOf(named, words.number), now, address: null },
    words,
  );
  const status = `${words.texts.report[fresh.status]}${words.texts.colon}`;
  const subject = title === "" ? null : `${status}${title} · ${page.definition.title}`;
  const after = html`<h3>Component states</h3>
    ${affectedList(preview, chosen, shown)} ${preview.already}
    <p class="help">${audienceLine(kind, typed, content, subject)}</p>
    ${followedWords(typed)}
    ${preview.audience === null ? null : besideBox(isPast(typed) ? pastSentence : sendSentence(page, preview.audience))}`;
  return previewSection(
    shownPreview(
      html`${timeFaults(preview)}
        <div class="seen">${seen}</div>`,
      after,
    ),
  );
}

/** What the form would be refused for of its times. A script says it at their fields, too. */
function timeFaults(preview: PreviewedReport): readonly Html[] {
  const { kind, report, typed, now } = preview;
  const found = [
    timeMistake(typed, boundsOf(preview)),
    report === null ? endMistake(typed, now) : null,
  ].filter((one) => one !== null);
  return [...new Map(found.map((one) => [one.field, one])).values()].map(
    ({ field, message }) =>
      html`<p class="wrong-line" data-at="${field}" data-note="${belowField(message)}">
        “${reportFields[kind][field]?.label ?? field}” ${message}.
      </p>`,
  );
}

/** What the report is about before the form's words, without what these take out of it. */
function staying({ report, corrected, typed }: PreviewedReport): readonly number[] {
  if (report === null) return [];
  const leaving = corrected === null ? [] : leavingBy(corrected, report, typed);
  return report.components.filter((id) => !leaving.includes(id));
}

const chosenIn = (
  typed: URLSearchParams,
  components: readonly ComponentRow[],
): readonly ComponentRow[] => {
  const chosen = new Set(typed.getAll("components"));
  return components.filter(({ id }) => chosen.has(String(id)));
};

function namesOf(all: readonly ComponentRow[], number: (count: number) => string): string {
  const names = all.slice(0, limits.affectedNamesMax).map(({ name }) => name);
  const rest = all.length - names.length;
  return `${names.join(", ")}${rest === 0 ? "" : ` +${number(rest)}`}`;
}

/** What the form says, at its time; a time that will be refused does not count. */
function freshUpdate(preview: PreviewedReport, chosen: readonly ComponentRow[]): UpdateFacts {
  const { content, corrected, typed, now } = preview;
  const kept = corrected?.at ?? null;
  const begun = asBegun(typed, content.page.definition.defaultLocale);
  const message = (begun.get("message") ?? "").slice(0, limits.reportMessageCharsMax);
  return {
    id: corrected?.id ?? 0,
    at: timeIn(typed, boundsOf(preview), kept) ?? kept ?? now,
    status: reportStatuses.find((one) => one === begun.get("status")) ?? "investigating",
    message: message.trim() === "" ? "Type a message, and it is shown here." : message,
    impacts: chosen.flatMap(({ id }) => {
      const impact = impactIn(typed, id);
      return impact === null ? [] : [{ component: id, impact }];
    }),
  };
}

function boundsOf({ report, corrected, now }: PreviewedReport): TimeBounds {
  if (report === null) return firstBounds(now);
  return corrected === null ? furtherBounds(report, now) : correctedBounds(report, corrected, now);
}

/** All that the report will say, the newest first: the form's words are a further update, or in the place of one. */
function updatesAfter(
  { report, corrected }: PreviewedReport,
  fresh: UpdateFacts,
  end: ReportEnd | null,
): readonly UpdateFacts[] {
  const others = (report?.updates ?? []).filter(({ id }) => id !== corrected?.id);
  const last = end === null ? [] : [{ ...fresh, ...end, status: "resolved", impacts: [] } as const];
  return [...last, fresh, ...others].toSorted((a, b) => b.at - a.at);
}

/** Very many have one line for each impact. */
function affectedList(
  preview: PreviewedReport,
  chosen: readonly ComponentRow[],
  shown: ReportFacts,
): Html {
  const { content, corrected } = preview;
  const isOver = shown.status === "resolved";
  if (chosen.length === 0) return html`<p class="help">${noneTicked(preview, isOver)}</p>`;
  // What is corrected may have later updates, which say more, and of other components.
  const listed =
    corrected === null
      ? chosen
      : content.components.filter(({ id }) => shown.components.includes(id));
  const markOf = (id: number): Html =>
    isOver ? verdictMark("success", "The impact ends") : markAfter(preview, id, shown);
  const alike = Map.groupBy(listed, ({ id }) => markOf(id).text);
  return html`<ul class="affected">
      ${[...alike.values()].flatMap((some) => {
        const mark = markOf(some[0]?.id ?? 0);
        const names =
          some.length > namesShown
            ? [counted(some.length, "component")]
            : some.map(({ name }) => name);
        return names.map((name) => html`<li>${mark} <span>${name}</span></li>`);
      })}
    </ul>
    ${isOlder(preview, shown) ? html`<p class="help">Later updates count: these are the states after them.</p>` : null}`;
}

/** Whether other updates are newer than what the form says. */
const isOlder = ({ corrected }: PreviewedReport, { updates }: ReportFacts): boolean =>
  updates[0]?.id !== (corrected?.id ?? 0);

/** What a correction makes of a component is what the page then has, by all updates; a further update says what changes. */
function markAfter(preview: PreviewedReport, id: number, shown: ReportFacts): Html {
  const { kind, report, corrected, typed, now } = preview;
  if (corrected !== null || isOlder(preview, shown))
    return impactMark(impactNow([shown], id, now), null, noImpact[kind]);
  return impactMark(
    impactIn(typed, id),
    impactNow(report === null ? [] : [report], id, now),
    noImpact[kind],
  );
}

/** What a form without a tick says of components. */
function noneTicked(preview: PreviewedReport, isOver: boolean): string {
  const { content, report, corrected, typed, now } = preview;
  if (isOfNone(typed) && content.components.length > 0)
    return "No component is ticked: tick those that have this impact.";
  const concerned = new Set(staying(preview));
  const named = content.components.filter(({ id }) => concerned.has(id));
  if (report === null || named.length === 0)
    return "No component: the report is about the page as a whole.";
  if (isOver) return `None ticked: the impact ends (${placeList(named.map(({ name }) => name))}).`;
  const others = { ...report, updates: report.updates.filter(({ id }) => id !== corrected?.id) };
  const states = named.map(({ id, name }) => {
    const impact = impactNow([others], id, now);
    return impact === null ? name : `${name}, ${impactWords[impact].toLowerCase()}`;
  });
  const rest = states.length - namesShown;
  const more = rest > 0 ? [counted(rest, "other")] : [];
  return `None ticked: as before (${[...states.slice(0, namesShown), ...more].join("; ")}).`;
}

/** An update that says nothing of a component leaves what was said before. */
function impactMark(impact: Impact | null, before: Impact | null, none: string): Html {
  if (impact !== null) return verdictMark(impactLooks[impact], impactWords[impact]);
  return before === null
    ? verdictMark("unchecked", none)
    : verdictMark(impactLooks[before], `Still ${impactWords[before].toLowerCase()}`);
}

const impactLooks: { readonly [I in Impact]: Standing } = {
  operational: "success",
  degraded_performance: "degraded",
  partial_outage: "error",
  major_outage: "error",
};

const pastSentence = "It has ended: it is sent to no one.";

/** Who gets it, and under which subject; null: it has no title yet. */
function audienceLine(
  kind: ReportFormKind,
  typed: URLSearchParams,
  { page }: PageContent,
  subject: string | null,
): string {
  if (kind === "correction") return "Mails that were sent stay as they are.";
  if (isPast(typed)) return pastSentence;
  const words = audienceWords(typed, page.definition);
  const isSent = page.definition.published && typed.has("notify");
  return isSent && subject !== null ? `${words} Their mail is called “${subject}”.` : words;
}
