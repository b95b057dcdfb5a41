import * as limits from "#limits/change-limits";
import { grouped, isoTime } from "#web/page/format";
import { html } from "#web/page/html";
import { partsNav } from "#service/operator/settings/settings-page";
import { documentAnswer, type PageAnswer } from "#service/edge/page-answer";
import {
  auditQueryOf,
  changesAddress,
  changesQueryIn,
} from "#service/operator/changes/changes-query";
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
import { epochMillis } from "#base/units";

const changesPage: OperatorPage = {
  role: "reader",
  path: /^\/changes(?<json>\.json)?$/,
  answer: async (context, request) => {
    const { rooms } = context;
    const { reader } = request;
    const query = changesQueryIn(request.query);
    const found = await rooms.store.audit.list(auditQueryOf(query));
    const entries = found.slice(0, limits.changesShown).map((entry) => seenBy(reader, entry));
    const older = found.length > entries.length ? (entries.at(-1)?.number ?? null) : null;
    const at = rooms.clock.wall();
    if (request.isDocument)
      return documentAnswer({ at: isoTime(at), changes: entries.map(changeSection), older });
    const names = await namesIn(context, entries);
    const downloads = may(reader, "owner") ? await downloadsOf(context) : [];
    return framed(request, {
      title: "Audit log · Picket",
      section: "settings",
      document: changesAddress(query, query.before).replace("/changes", "/changes.json"),
      at,
      content: html`${partsNav("/changes", reader)}
      ${changesView({ query, entries, older, downloads, names })}`,
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

export const changesPages: readonly OperatorPage[] = [changesPage, linesPage];

/** Where a change came from is for owners. */
const seenBy = (reader: KnownReader, entry: AuditEntry): AuditEntry =>
  may(reader, "owner") ? entry : { ...entry, who: { ...entry.who, from: "" } };

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
