import type { LocationArguments, StoredLocation } from "#service/agents/locations";
import { type Edit, keepEdit, savedPath, type UndoneEdit } from "#service/operator/kept/edit-undo";
import type { KnownReader, PageContext } from "#service/operator/page-request";
import { monitorId } from "#service/store/ids";

/** Saves what a form says of a location that is there. Gives where that leads, with its Undo. */
export async function changeLocation(
  context: PageContext,
  reader: KnownReader,
  id: string,
  wanted: LocationArguments,
): Promise<string> {
  const { locations, store } = context.rooms;
  const edited = { kind: "location", id } as const;
  const basis = { ...edited, version: await store.audit.version(edited) };
  const row = await locations.get(id);
  await locations.update(id, wanted);
  const edit = { ...basis, before: beforeOf(row) };
  return savedPath(basis, "saved", await keepEdit(context, reader, edit));
}

const beforeOf = ({ name, metadata, monitors }: StoredLocation): URLSearchParams =>
  new URLSearchParams({
    name,
    metadata: JSON.stringify(metadata),
    monitors: monitors.join(" "),
  });

/** The location is as it was, without monitors that were deleted meanwhile. */
export async function undoLocationEdit(
  { rooms }: PageContext,
  { id, before }: Edit,
): Promise<UndoneEdit> {
  const { owner } = await rooms.locations.get(id);
  if (owner !== "") return { outcome: "owned" };
  const metadata: Record<string, string> = JSON.parse(before.get("metadata") ?? "{}");
  const listed = (before.get("monitors") ?? "").split(" ").filter((one) => one !== "");
  const there = await rooms.monitors.among(listed.map((one) => monitorId(Number(one))));
  const monitorIds = there.map((one) => String(one.id));
  await rooms.locations.update(id, { name: before.get("name") ?? "", metadata, monitorIds });
  return { outcome: "undone" };
}
