import { type Audit, type Subject, subjects } from "#service/store/audit/audited";
import type {
  ConfigurationStore,
  ConfigurationWrites,
  ObjectKind,
} from "#service/store/configuration-store";
import { pageOfPart } from "#service/store/verbs/page-rows";
import type { Sql } from "#service/store/sql";

/** Whoever would change what is compared waits in PostgreSQL; SQLite has one writer. */
export async function lockEstate(sql: Sql): Promise<void> {
  if (sql.words.engine === "postgres")
    await sql.all(
      "LOCK TABLE monitors, locations, channels, pages, page_groups, page_components, maintenances IN SHARE ROW EXCLUSIVE MODE",
    );
}

/** Everything that is changed, and what is made by the keys under which it is known then. */
export const wholeEstate: Audit<
  Parameters<ConfigurationStore["change"]>,
  ReadonlyMap<string, number> | null
> = {
  records: "objects",
  deed: "made",
  undoes: () => false,
  gone: (_revision, writes) =>
    writes.removals.flatMap(({ kind, id }) =>
      kind === "component" || kind === "group" ? [] : subjects(kind, [id]),
    ),
  before: async (sql, _revision, writes) => {
    await lockEstate(sql);
    const known = (kind: ObjectKind, all: readonly { readonly id: number | null }[]) =>
      subjects(
        kind,
        all.map(({ id }) => id),
      );
    const removed = await Promise.all(writes.removals.map((one) => removedIn(sql, one)));
    return [
      ...known("monitor", writes.monitors),
      ...known("location", writes.locations),
      ...known("channel", writes.channels),
      ...known("page", writes.pages),
      ...known("maintenance", writes.maintenances),
      ...removed.flat(),
    ];
  },
  made: (made, _revision, writes) => {
    const idsIn = (kind: ObjectKind, keys: readonly string[]) =>
      subjects(
        kind,
        keys.map((key) => made?.get(key) ?? null),
      );
    return [
      ...idsIn(
        "monitor",
        writes.monitors.map(({ key }) => key),
      ),
      ...idsIn(
        "location",
        writes.newLocations.map(({ key }) => key),
      ),
      ...idsIn(
        "channel",
        writes.newChannels.map((one) => channelKey(one.made)),
      ),
      ...idsIn(
        "page",
        writes.pages.map(({ key }) => key),
      ),
      ...idsIn("maintenance", writes.maintenances.map(windowKey)),
    ];
  },
};

async function removedIn(
  sql: Sql,
  { kind, id }: ConfigurationWrites["removals"][number],
): Promise<readonly Subject[]> {
  if (kind === "component") return pageOfPart(sql, "page_components", id);
  return kind === "group" ? pageOfPart(sql, "page_groups", id) : subjects(kind, [id]);
}

export const channelKey = ({ uid }: { readonly uid: string }): string => `channel ${uid}`;
export const windowKey = ({ key }: { readonly key: string }): string => `window ${key}`;
