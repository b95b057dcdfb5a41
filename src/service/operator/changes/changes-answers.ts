import * as limits from "#limits/change-limits";
import { grouped, isoTime } from "#web/page/format";
import { html } from "#web/page/html";
import { settingsHead } from "#service/operator/settings/settings-page";
import { documentAnswer, lineAnswer, type PageAnswer } from "#service/edge/page-answer";
import {
  auditQueryOf,
  type ChangesQuery,
  changesAddress,
  changesQueryIn,
  daysFault,
} from "#service/operator/changes/changes-query";
import type { Act } from "#service/operator/changes/act-folds";
import { shownActs } from "#service/operator/changes/shown-acts";
import type { PageRooms } from "#service/operator/page-rooms";
import { chosenZone } from "#service/operator/zones/zoned-page";
import { namesIn } from "#service/operator/changes/member-names";
import { changesView } from "#service/operator/changes/changes-view";
import {
  framed,
  type KnownReader,
  type OperatorPage,
  type PageContext,
} from "#service/operator/page-request";
import { may } from "#service/operator/roles";
import type { AuditEntry } from "#service/store/audit/audit-log";
import { epochMillis, type EpochMillis } from "#base/units";

const changesPage: OperatorPage = {
  role: "reader",
  path: /^\/changes(?<json>\.json)?$/,
  answer: async (context, request) => {
    const { rooms } = context;
    const { reader } = request;
    const query = changesQueryIn(request.query);
    const at = rooms.clock.wall();
    const fault = daysFault(query);
    if (request.isDocument && fault !== null) return lineAnswer(400, fault);
    if (request.isDocument) return documentOf(await entriesOf(rooms, query, reader), at);
    const { acts, ...rest } =
      fault === null
        ? await shownActs(rooms.store.audit, query)
        : { acts: [], older: null, isCut: false };
    const seen = acts.map((act) => seenWhole(reader, act));
    const listed = seen.flatMap((act) =>
      query.act === null ? act.slice(0, limits.changesShown) : act,
    );
    const names = await namesIn(context, listed);
    const downloads = may(reader, "owner") ? await downloadsOf(context) : [];
    const zone = chosenZone(reader);
    return framed(request, {
      title: "Audit log · Picket",
      section: "settings",
      days: "own",
      document: changesAddress(query, query.before).replace("/changes", "/changes.json"),
      at,
      content: html`${settingsHead("/changes", reader)}
      ${changesView({ ...rest, query, acts: seen, downloads, names, zone })}`,
    });
  },
};

/** The lines after a number, as many as one file has. */
const linesPage: OperatorPage = {
  role: "owner",
  path: /^\/changes\/after\/(?<id>\d{1,15})\.jsonl$/,
  answer: async ({ rooms }, { id }): Promise<PageAnswer> => {
    const { lines } = await rooms.store.audit.lines(
      Number(id),
      epochMillis(0),
      limits.changesDownloaded,
    );
    return {
      status: 200,
      type: "application/jsonl; charset=utf-8",
      body: lines.map((line) => `${line}\n`).join(""),
      headers: { "content-disposition": `attachment; filename="picket-changes-${id}.jsonl"` },
    };
  },
};

/** For programs, entries are not put together. */
async function entriesOf(
  { store }: PageRooms,
  query: ChangesQuery,
  reader: KnownReader,
): Promise<ShownEntries> {
  const found = await store.audit.list(auditQueryOf(query));
  const entries = found.slice(0, limits.changesShown).map((entry) => seenBy(reader, entry));
  return {
    entries,
    older: found.length > entries.length ? (entries.at(-1)?.number ?? null) : null,
  };
}

interface ShownEntries {
  readonly entries: readonly AuditEntry[];
  readonly older: number | null;
}

const documentOf = ({ entries, older }: ShownEntries, at: EpochMillis): PageAnswer =>
  documentAnswer({ at: isoTime(at), changes: entries.map(changeSection), older });

export const changesPages: readonly OperatorPage[] = [changesPage, linesPage];

/** Where a change came from is for owners. */
const seenBy = (reader: KnownReader, entry: AuditEntry): AuditEntry =>
  may(reader, "owner") ? entry : { ...entry, who: { ...entry.who, from: "" } };

const seenWhole = (reader: KnownReader, [newest, ...others]: Act): Act => [
  seenBy(reader, newest),
  ...others.map((entry) => seenBy(reader, entry)),
];

/** One file for each so many entries. */
async function downloadsOf({
  rooms,
}: PageContext): Promise<readonly { readonly path: string; readonly words: string }[]> {
  const { oldest, newest } = await rooms.store.audit.range();
  if (newest === 0) return [];
  const files = Math.ceil((newest - oldest + 1) / limits.changesDownloaded);
  return Array.from({ length: files }, (_, file) => {
    const first = oldest + file * limits.changesDownloaded;
    const last = Math.min(newest, first + limits.changesDownloaded - 1);
    return {
      path: `/changes/after/${first - 1}.jsonl`,
      words: `${grouped(first)} to ${grouped(last)}`,
    };
  });
}

/** An entry for programs. Names are only ever added. */
const changeSection = ({ at, subject, ...entry }: AuditEntry): object => ({
  ...entry,
  at: isoTime(at),
  kind: subject.kind,
  id: subject.id,
});
