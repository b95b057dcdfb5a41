import type { Interceptor } from "@connectrpc/connect";
import type { Clock } from "#base/clock";
import { callersKey } from "#service/agents/admission";
import { because, Refusal, refuseViolations } from "#service/edge/call-refusal";
import type { ConfigurationStore, ObjectKind, Touch } from "#service/store/configuration-store";
import { integerOf } from "#service/store/ids";
import type { StateStore } from "#service/store/state-store";
import type { Store } from "#service/store/store";

/** What a call does to an object that files may own, and by what its request names that. */
interface ObjectCall {
  readonly kind: ObjectKind;
  readonly deed: Touch["deed"];
  /** What stands on a status page belongs to the page's owner. */
  readonly names: "it" | "its page" | "a component of it" | "a group of it";
}

const changes = (kind: ObjectKind): ObjectCall => ({ kind, deed: "changed", names: "it" });
const deletes = (kind: ObjectKind): ObjectCall => ({ kind, deed: "deleted", names: "it" });
const changesPage = (names: ObjectCall["names"]): ObjectCall => ({ ...changes("page"), names });

/** Which calls change or delete an object that files may own. */
const objectCalls: Readonly<Record<string, ObjectCall>> = {
  UpdateHTTPMonitor: changes("monitor"),
  UpdateTCPMonitor: changes("monitor"),
  UpdateDNSMonitor: changes("monitor"),
  DeleteMonitor: deletes("monitor"),
  UpdatePrivateLocation: changes("location"),
  DeletePrivateLocation: deletes("location"),
  UpdateNotification: changes("channel"),
  DeleteNotification: deletes("channel"),
  UpdateStatusPage: changes("page"),
  DeleteStatusPage: deletes("page"),
  AddMonitorComponent: changesPage("its page"),
  AddStaticComponent: changesPage("its page"),
  CreateComponentGroup: changesPage("its page"),
  UpdateComponent: changesPage("a component of it"),
  RemoveComponent: changesPage("a component of it"),
  UpdateComponentGroup: changesPage("a group of it"),
  DeleteComponentGroup: changesPage("a group of it"),
  UpdateMaintenance: changes("maintenance"),
  DeleteMaintenance: deletes("maintenance"),
};

/** The owner whose objects no call may change, and where they are changed instead; null if there is none. */
export interface ReadOnlyOwner {
  readonly owner: string;
  readonly folder: string;
}

interface GuardRooms {
  readonly store: Pick<Store, "configuration" | "pages" | "state">;
  readonly clock: Clock;
  readonly readOnly: ReadOnlyOwner | null;
}

/** Every call that changes or deletes an object passes here first. */
export const guardObjects =
  (rooms: GuardRooms): Interceptor =>
  (next) =>
  async (request) => {
    const call = objectCalls[request.method.name];
    const id = call === undefined ? null : await idOf(call, request.message, rooms.store);
    if (call === undefined || id === null) return next(request);
    const by = request.contextValues.get(callersKey);
    await guardObject(rooms, { ...call, id, by: by === null ? "" : `key ${by.id} (${by.name})` });
    return next(request);
  };

/**
 * Before an object that files own is changed by hand: one that the service's own folder says is refused, and of others
 * it is noted who does it, so that the next plan can say so.
 */
async function guardObject(
  { store, clock, readOnly }: GuardRooms,
  { kind, id, deed, by }: Pick<Touch, "kind" | "id" | "deed" | "by">,
): Promise<void> {
  const objects: ConfigurationStore = store.configuration;
  const owner = await objects.ownerOf(kind, id);
  refuseReadOnly(readOnly, owner);
  if (owner === null || owner === "") return;
  await objects.touch(kind, id, { deed, at: clock.wall(), by });
}

/** What the service's own folder says is changed in that folder. */
export function refuseReadOnly(readOnly: ReadOnlyOwner | null, owner: string | null): void {
  if (readOnly === null || owner !== readOnly.owner) return;
  throw new Refusal(
    "failed_precondition",
    `it is managed by the files in ${readOnly.folder}: edit it there, and the service applies it`,
    because("MANAGED_BY_FILES", { owner }),
  );
}

/** What files of a caller say is never of the owner that the service's own folder has. */
export function refuseReadOnlyOwner(
  readOnly: ReadOnlyOwner | null,
  owner: string | undefined,
): void {
  if (readOnly === null || owner !== readOnly.owner) return;
  const message = `"${owner}" is the owner of the files in ${readOnly.folder}: edit them there, and the service applies them, or name another owner`;
  refuseViolations([{ field: "owner", message }]);
}

/** The id of the object that a request is about; null if it names none that is there. */
async function idOf(
  { names, kind }: ObjectCall,
  message: object,
  { pages: { components, groups }, state }: GuardRooms["store"],
): Promise<number | null> {
  switch (names) {
    case "it":
      return numberIn(message, "id") ?? idOfUid(kind, textIn(message, "id"), state);
    case "its page":
      return numberIn(message, "pageId");
    case "a component of it":
      return (await components.get(numberIn(message, "id") ?? 0))?.page ?? null;
    case "a group of it":
      return (await groups.get(numberIn(message, "id") ?? 0))?.page ?? null;
  }
}

/** Monitors and locations from before ids were numbers are changed by the id of then, too. */
async function idOfUid(kind: ObjectKind, uid: string, state: StateStore): Promise<number | null> {
  if (kind === "monitor") return state.monitors.idOfUid(uid);
  return kind === "location" ? state.locations.idOfUid(uid) : null;
}

const numberIn = (message: object, name: string): number | null => integerOf(textIn(message, name));

function textIn(message: object, name: string): string {
  const value: unknown = Reflect.get(message, name);
  return typeof value === "string" ? value : "";
}
