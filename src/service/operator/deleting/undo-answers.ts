import * as limits from "#limits/pages-limits";
import { undoneWithin } from "#limits/service-limits";
import { lineAnswer, type PageAnswer, seeOther } from "#service/edge/page-answer";
import { asOf, basisIn } from "#service/operator/changes/basis-field";
import { kindWords as objectWords, pathOf } from "#service/operator/changes/changed-objects";
import {
  deletedIn,
  type RestoreCount,
  type RestoreFault,
  restoreFaults,
  restoreField,
  withRestored,
} from "#service/operator/deleting/undo-form";
import { withPicked } from "#service/operator/monitors/picks";
import { notAllowed } from "#service/operator/not-allowed";
import {
  type KnownReader,
  type OperatorForm,
  type PageContext,
  wantedPath,
} from "#service/operator/page-request";
import { may } from "#service/operator/roles";
import type { Basis } from "#service/store/audit/actor";
import type { Role } from "#service/store/people-store";
import {
  isPart,
  isUpdate,
  type RestoreOutcome,
  type TrashKind,
} from "#service/store/trash/trash-store";
import { epochMillis, type EpochMillis } from "#base/units";

/** What each kind is called. */
export const trashWords: { readonly [K in TrashKind]: string } = {
  ...objectWords,
  component: "component",
  group: "group",
  template: "template",
  update: "update",
  workUpdate: "update",
};

/** Who may delete and put back what. */
export const roleFor: { readonly [K in TrashKind]: Role } = {
  monitor: "editor",
  location: "editor",
  channel: "editor",
  page: "editor",
  report: "responder",
  maintenance: "editor",
  component: "editor",
  group: "editor",
  template: "editor",
  subscriber: "editor",
  update: "editor",
  workUpdate: "editor",
};

/** Whether it is removed from what it is part of; everything else is deleted. */
export const isRemoved = (kind: TrashKind): boolean => removedKinds.has(kind);

const removedKinds: ReadonlySet<TrashKind> = new Set<TrashKind>([
  "component",
  "group",
  "subscriber",
  "update",
  "workUpdate",
]);

/** Puts back what was deleted, each of it that still can be. */
const undo: OperatorForm = {
  role: "responder",
  path: /^\/undo$/,
  act: async (context, { form, reader }) => {
    const deleted = deletedIn([form.get("kind") ?? "", ...(form.get("ids") ?? "").split(" ")]);
    if (deleted === null) return lineAnswer(400, "This form does not say what to restore.");
    const { kind } = deleted;
    const ids = deleted.ids.slice(0, limits.undoneAtOnce);
    if (!may(reader, roleFor[kind])) return notAllowed(context, { reader }, roleFor[kind]);
    const { count, left } = await restoreEach(context, kind, ids);
    const fault = restoreFaults.find((one) => left[one] !== undefined);
    if (count === 0 && fault !== undefined)
      return lineAnswer(409, await refusalWords(context, kind, ids, fault));
    const [id = 0, ...more] = ids;
    const path =
      more.length > 0 || isPart(kind) || kind === "subscriber" || isUpdate(kind)
        ? null
        : pathOf({ kind, id: String(id) });
    const list = form.has("back") ? wantedPath(form.get("back")) : listOf[kind];
    const restored = withRestored(path ?? list, { kind, count, left });
    return seeOther(path === null && kind === "monitor" ? withPicked(restored, ids) : restored);
  },
};
export const undoForms: readonly OperatorForm[] = [undo];

/**
 * Puts back what a form is about, if the form wants that first. Gives the form to be taken then, or an answer that says
 * why it is not.
 */
export async function restoredFirst(
  context: PageContext,
  form: URLSearchParams,
  reader: KnownReader,
): Promise<URLSearchParams | PageAnswer> {
  const deleted = deletedIn((form.get(restoreField) ?? "").split(" "));
  if (deleted === null) return form;
  const { kind, ids } = deleted;
  if (!may(reader, roleFor[kind])) return notAllowed(context, { reader }, roleFor[kind]);
  const { left } = await restoreEach(context, kind, ids.slice(0, 1));
  // What someone else put back meanwhile is as wanted.
  const fault = restoreFaults.find((one) => one !== "there" && left[one] !== undefined);
  if (fault !== undefined) return lineAnswer(409, await refusalWords(context, kind, ids, fault));
  const rest = new URLSearchParams(form);
  rest.delete(restoreField);
  const restored = await restoredSince(context, basisIn(rest), isPart(kind) || isUpdate(kind));
  return restored === null ? rest : asOf(rest, restored);
}

/**
 * The version that only putting it back has made of what a form shows; null if someone changed it besides. To put back a
 * part is one change of its object.
 */
async function restoredSince(
  { rooms }: PageContext,
  shown: Basis | null,
  isOfPart: boolean,
): Promise<Basis | null> {
  if (shown === null) return null;
  const { kind, id, version } = shown;
  const asked = { before: null, after: version, kind, id, who: "", name: "", limit: 2 };
  const entries = await rooms.store.audit.list({ ...asked, since: epochMillis(0), until: null });
  const [newest] = entries;
  const isAsItWas = isOfPart
    ? entries.length === 1
    : entries.every(({ deed }) => deed === "restored");
  return newest !== undefined && isAsItWas ? { kind, id, version: newest.number } : null;
}

/** Puts back each that still can be, and says how many are not, and why. */
export async function restoreEach(
  context: PageContext,
  kind: TrashKind,
  ids: readonly number[],
): Promise<Pick<RestoreCount, "count" | "left">> {
  let count = 0;
  const left: Partial<Record<keyof RestoreCount["left"], number>> = {};
  for (const id of ids) {
    const outcome = await restoreOne(context, kind, id);
    if (outcome === "restored" || outcome === "partly") count += 1;
    if (outcome !== "restored") left[outcome] = (left[outcome] ?? 0) + 1;
  }
  return { count, left };
}

const restoreOne = (context: PageContext, kind: TrashKind, id: number): Promise<RestoreOutcome> => {
  const { readers, store, clock } = context.rooms;
  const since = undoableSince(context);
  if (kind === "update") return store.pages.reports.putBack(id, since, clock.wall());
  if (kind === "workUpdate") return store.alerts.maintenanceUpdates.putBack(id, since);
  return kind === "subscriber" ? readers.restore(id, since) : store.trash.restore(kind, id, since);
};

/** Why nothing of it was put back, and what to do. */
async function refusalWords(
  context: PageContext,
  kind: TrashKind,
  ids: readonly number[],
  fault: RestoreFault,
): Promise<string> {
  if (kind === "subscriber" && (fault === "gone" || fault === "full"))
    return subscriberFaults[fault];
  if (isUpdate(kind) && fault === "full") return fullOfUpdates;
  if (fault === "gone" && isRemoved(kind))
    return faultWords.gone.replace("it was deleted", "it was removed");
  if (fault !== "owned") return faultWords[fault];
  for (const id of ids) {
    const row = await context.rooms.store.trash.get(kind, id, undoableSince(context));
    if (row !== null && row.owner !== "")
      return `The files of ${row.owner} ${isPart(kind) ? "manage its page" : "deleted it"}: put it back in the files, and apply them.`;
  }
  return faultWords.gone;
}

const faultWords: { readonly [O in Exclude<RestoreFault, "owned">]: string } = {
  there: "It is restored already. Reload the page to see it.",
  gone: "It can no longer be restored: it was deleted more than ten minutes ago, or what it belongs to is deleted, too.",
  taken:
    "Another status page has its slug or its domain now: change that one first, then restore this one.",
  full: "Its status page has as many components, groups or templates as it may have: remove one first, then restore this one.",
  again:
    "The same address or URL subscribed again meanwhile, so nothing was restored. The new subscription stays as it is.",
};

const fullOfUpdates =
  "There are as many other updates as there may be: remove one first, then restore this one.";

const subscriberFaults: { readonly [O in "gone" | "full"]: string } = {
  gone: "It can no longer be restored: it was removed more than ten minutes ago, its reader unsubscribed, or its status page is deleted.",
  full: "Its status page has as many subscribers as it may have: remove one first, then restore this one.",
};

/** Where each kind is listed. A report is on the page of its status page. */
export const listOf: { readonly [K in TrashKind]: string } = {
  monitor: "/",
  location: "/locations",
  channel: "/channels",
  page: "/status-pages",
  report: "/status-pages",
  maintenance: "/maintenances",
  component: "/status-pages",
  group: "/status-pages",
  template: "/status-pages",
  subscriber: "/status-pages",
  update: "/status-pages",
  workUpdate: "/maintenances",
};

export const undoableSince = ({ rooms }: PageContext): EpochMillis =>
  epochMillis(rooms.clock.withoutSteps - undoneWithin);
