import { undoClosePath } from "#service/operator/deleting/undo-closing";
import * as limits from "#limits/pages-limits";
import { deletionsOffered } from "#limits/change-limits";
import { undoneWithin } from "#limits/service-limits";
import { counted } from "#web/page/format";
import { clockMark } from "#web/page/time-mark";
import { html, Html } from "#web/page/html";
import { closeMark, undoBar } from "#service/operator/deleting/undo-bar";
import {
  isRemoved,
  listOf,
  roleFor,
  trashWords,
  undoableSince,
} from "#service/operator/deleting/undo-answers";
import {
  deletedIn,
  type RestoreCount,
  type RestoreFault,
  restoreFaults,
  restoredIn,
  undoForm,
} from "#service/operator/deleting/undo-form";
import {
  type DeletionNotice,
  isAfterAct,
  othersFold,
  withDeletions,
} from "#service/operator/deleting/undo-order";
import { ownForm } from "#service/operator/form-fields";
import {
  auditedAs,
  type KnownReader,
  type PageContext,
  type PageRequest,
} from "#service/operator/page-request";
import { acknowledgedNotice } from "#service/operator/incidents/acknowledgement-undo";
import { cancellationWords } from "#service/operator/planned/work-cancellation";
import { silenceNotice } from "#service/operator/planned/silence-undo";
import { may } from "#service/operator/roles";
import { actorWords } from "#service/store/audit/actor";
import {
  isPart,
  isUpdate,
  type PartKind,
  type RecentDeletion,
  trashKinds,
} from "#service/store/trash/trash-store";
import { after, epochMillis, type EpochMillis } from "#base/units";

interface NoticeRequest extends Pick<PageRequest, "query" | "reader"> {
  /** When the newest deletion was whose notice its reader closed; without it, none is closed. */
  readonly undoClosedAt?: EpochMillis;
}
/** What was deleted by one act. */
type DeletionAct = readonly [RecentDeletion, ...RecentDeletion[]];

/** What was just done or deleted, and a button that undoes it; null if nothing was, it is too late, or the reader closed it. */
export async function undoNotice(
  context: PageContext,
  asked: NoticeRequest,
  pathname: string,
): Promise<DeletionNotice | Html | null> {
  const { query } = asked;
  const done =
    (await silenceNotice(context, asked, pathname)) ??
    (await acknowledgedNotice(context, asked, pathname));
  const restored = done === null ? restoredIn(query) : null;
  if (restored !== null) return restoredNotice(restored, pathWithout(pathname, query));
  const deleted = await deletionNotice(context, asked, pathname);
  if (done === null || deleted === null) return done ?? deleted;
  const { above, text } = withDeletions(done.text, deleted);
  return new Html(`${above}${text}`);
}

async function deletionNotice(
  context: PageContext,
  asked: NoticeRequest,
  pathname: string,
): Promise<DeletionNotice | null> {
  const { query, reader, undoClosedAt = epochMillis(0) } = asked;
  const [named, recent] = await Promise.all([
    namedAct(context, asked),
    recentActs(context, reader, pathname),
  ]);
  const isNamed = ([{ kind, deletedAt }]: DeletionAct): boolean =>
    named?.[0].kind === kind && named[0].deletedAt === deletedAt;
  const others = recent.filter((act) => !isNamed(act));
  const acts = [...(named === null ? [] : [named]), ...others].filter(
    ([{ deletedAt }]) => deletedAt > undoClosedAt,
  );
  const shown = acts.slice(0, deletionsOffered + 1);
  const [newest, ...more] = await Promise.all(shown.map((act) => wordedAct(context, act)));
  if (newest === undefined) return null;
  const back = pathWithout(pathname, query);
  return {
    bar: (older) => deletedBar(reader, [newest, ...more], older, back),
    fold: othersFold([newest, ...more].map((one) => otherDeletion(reader, one, back))),
    isNewest: await isAfterAct(context, asked, newest.act[0].deletedAt),
  };
}

/** What the page's address says was deleted. */
async function namedAct(
  { rooms, ...context }: PageContext,
  { query, reader }: NoticeRequest,
): Promise<DeletionAct | null> {
  const deleted = deletedIn((query.get("deleted") ?? "").split("."));
  if (deleted === null || !may(reader, roleFor[deleted.kind])) return null;
  const { kind, ids } = deleted;
  const since = undoableSince({ rooms, ...context });
  const found = await Promise.all(
    ids.slice(0, limits.undoneAtOnce).map((id) => rooms.store.trash.get(kind, id, since)),
  );
  const [first, ...rest] = found.filter((row) => row !== null).filter(({ owner }) => owner === "");
  return first === undefined ? null : [first, ...rest];
}

/**
 * What this person deleted in the last ten minutes, on the overview, where its kind is listed, and of a part of a status
 * page on that page: the newest first.
 */
async function recentActs(
  context: PageContext,
  reader: KnownReader,
  pathname: string,
): Promise<readonly DeletionAct[]> {
  const page = pageAt(pathname);
  const kinds = trashKinds.filter(
    (kind) =>
      pathname === "/" ||
      listOf[kind] === pathname ||
      (page !== null && isPart(kind) && isListedAt(kind, pathname)),
  );
  const own = kinds.filter((kind) => may(reader, roleFor[kind]));
  if (own.length === 0) return [];
  const by = actorWords(auditedAs(reader));
  const { trash } = context.rooms.store;
  const rows = await trash.recent(by, undoableSince(context), limits.undoneAtOnce);
  // What was deleted by one act has one time.
  const acts = Map.groupBy(
    rows.filter((row) => own.includes(row.kind) && (page === null || row.page === page)),
    ({ kind, deletedAt }) => `${kind} ${deletedAt}`,
  );
  return [...acts.values()].flatMap(([first, ...rest]): readonly DeletionAct[] =>
    first === undefined ? [] : [[first, ...rest]],
  );
}

/** Templates are listed below the reports of a status page, its other parts where its own address leads. */
const isListedAt = (kind: PartKind, pathname: string): boolean =>
  (kind === "template") === pathname.endsWith("/reports");

/** The status page that is shown with its components, or its reports; null: another page is. */
function pageAt(pathname: string): number | null {
  const [, id] = /^\/status-pages\/(\d{1,15})(?:\/reports)?$/.exec(pathname) ?? [];
  return id === undefined ? null : Number(id);
}

/** The newest, with what else can be undone in its fold. */
function deletedBar(
  reader: KnownReader,
  [newest, ...more]: readonly [WordedAct, ...WordedAct[]],
  older: readonly Html[],
  back: string,
): Html {
  const times = [newest, ...more].map(({ act: [{ deletedAt }] }) => deletedAt);
  const others = [...older, ...more.map((one) => otherDeletion(reader, one, back))];
  return undoBar({
    label: "Deleted",
    words: newest.words,
    undo: formOf(reader, newest.act, back),
    close: ownForm(
      undoClosePath,
      reader,
      html`<input type="hidden" name="at" value="${Math.max(...times)}" />
        <input type="hidden" name="back" value="${back}" />
        <button type="submit" class="bare" aria-label="Close">${closeMark}</button>`,
    ),
    more: others.length === 0 ? null : othersFold(others),
  });
}

const otherDeletion = (reader: KnownReader, { act, words }: WordedAct, back: string): Html =>
  html`<li>
    <p>${words}</p>
    ${formOf(reader, act, back, whatOf(act))}
  </li>`;

/** `what` is for those who hear the button alone, of several. */
const formOf = (reader: KnownReader, act: DeletionAct, back: string, what = ""): Html | null => {
  const [{ kind }] = act;
  const ids = act.map(({ id }) => id);
  return undoForm(reader, kind, ids, { back, what });
};

const whatOf = ([first, ...rest]: DeletionAct): string =>
  rest.length === 0
    ? `${trashWords[first.kind]} ${first.name}`
    : counted(rest.length + 1, trashWords[first.kind]);

interface WordedAct {
  readonly act: DeletionAct;
  readonly words: Html;
}

/** With what subscribers are sent once it cannot be undone any more. */
async function wordedAct({ rooms }: PageContext, act: DeletionAct): Promise<WordedAct> {
  const [{ cancelled }] = act;
  const news = cancelled === null ? "" : await cancellationWords(rooms, cancelled);
  return { act, words: html`${wordsOf(act)}${news}` };
}

function wordsOf(act: DeletionAct): Html {
  const [{ kind, name, deletedAt }] = act;
  const deed = isRemoved(kind) ? "removed" : "deleted";
  const of = isUpdate(kind) ? "update of" : trashWords[kind];
  const what =
    act.length === 1
      ? html`The ${of} <strong>${name}</strong> is ${deed}.`
      : html`${counted(act.length, trashWords[kind])} are ${deed}.`;
  return html`${what} You can undo this until ${clockMark(after(deletedAt, undoneWithin))}.`;
}

/** The same page with the same search, without what it says of a deletion or its undo. */
function pathWithout(pathname: string, query: URLSearchParams): string {
  const rest = new URLSearchParams(query);
  for (const name of ["deleted", "restored"]) rest.delete(name);
  return rest.size === 0 ? pathname : `${pathname}?${rest.toString()}`;
}

/** The same of some that stay as they are while others were put back. */
const leftWords: { readonly [O in RestoreFault]: string } = {
  there: "restored before",
  gone: "deleted more than ten minutes ago",
  taken: "without a free slug or domain",
  owned: "deleted by files, which alone can put it back",
  full: "without room on the status page",
  again: "subscribed again meanwhile",
};

function restoredNotice({ kind, count, left }: RestoreCount, close: string): Html {
  const words =
    count === 1 ? `The ${trashWords[kind]} is` : `${counted(count, trashWords[kind])} are`;
  const others = restoreFaults.flatMap((fault) => {
    const many = left[fault] ?? 0;
    return many === 0
      ? []
      : [`Not restored now: ${counted(many, trashWords[kind])} ${leftWords[fault]}.`];
  });
  const all = [`${words} restored.`, ...partlyWords(left.partly ?? 0), ...others];
  return undoBar({ label: "Restored", words: html`${all.join(" ")}`, undo: null, close });
}

/** What monitors that are back have lost. */
const partlyWords = (many: number): readonly string[] =>
  many === 0
    ? []
    : [
        `${many === 1 ? "A monitor is" : `${many} monitors are`} missing on a status page, which is full or managed by files. Add ${many === 1 ? "it" : "them"} there, or apply the files again.`,
      ];
