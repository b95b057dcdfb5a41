import { type EntryName, matchOf } from "#service/configuration/match";
import type { OwnedObject } from "#service/configuration/owner";
import { commonOwner } from "#service/configuration/owner";
import {
  objectKindOf,
  type PlannedChange,
  type ResourceKind,
  wordsOf,
} from "#service/configuration/planned-change";
import type { NamedMonitor } from "#service/configuration/named-monitor";
import type { WantedConfiguration } from "#service/configuration/wanted";
import { nearest } from "#base/nearest";
import type {
  ConfigurationWrites,
  Estate,
  ObjectRef,
  Touch,
} from "#service/store/configuration-store";
import { integerOf } from "#service/store/ids";
import type { MonitorRow } from "#service/store/state-store";

/** What a plan is made of, and what it is carried out by. */
export interface Plan {
  readonly revision: string;
  readonly changes: readonly PlannedChange[];
  readonly unmanaged: readonly {
    readonly kind: ResourceKind;
    readonly name: string;
    readonly owner: string;
  }[];
  readonly conflicts: readonly string[];
  /** What is to be known before it is carried out. */
  readonly warnings: readonly string[];
  /** How many monitors of the files notify no one. */
  readonly unheard: number;
  readonly writes: ConfigurationWrites;
}

/** An object of the estate under the name that files call it by. */
interface NamedRow<R extends OwnedObject> extends OwnedObject {
  readonly kind: ResourceKind;
  readonly name: string;
  readonly row: R;
}

/** What a location that is made is referred to by: no monitor that is made has the same. */
export const locationKey = (name: string): string => `location ${name}`;

type Mutable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer E)[] ? E[] : T[K] };

/** A plan while it is made: what was found, what is said of it, and what it comes to. */
export class Planning {
  readonly estate: Estate;
  readonly owner: string;
  readonly changes: PlannedChange[] = [];
  readonly conflicts: string[] = [];
  readonly writes: Mutable<ConfigurationWrites> = {
    monitors: [],
    newLocations: [],
    locations: [],
    newChannels: [],
    channels: [],
    pages: [],
    maintenances: [],
    removals: [],
    settled: [],
  };
  readonly #taken = new Set<string>();
  readonly #monitorRefs = new Map<string, ObjectRef[]>();
  readonly #locationRefs = new Map<string, ObjectRef>();
  readonly #pageRefs = new Map<string, PageRefs>();
  readonly #touches: ReadonlyMap<string, Touch>;
  readonly #deleted: ReadonlyMap<string, Touch>;

  constructor(estate: Estate, { owner }: Pick<WantedConfiguration, "owner">) {
    this.estate = estate;
    this.owner = owner === "" ? commonOwner : owner;
    const keyed = (touch: Touch) => [`${touch.kind} ${touch.id}`, touch] as const;
    this.#touches = new Map(estate.touches.map(keyed));
    this.#deleted = new Map(
      estate.touches
        .filter((one) => one.deed === "deleted" && one.owner === this.owner)
        .map((one) => [`${one.kind} ${one.name}`, one]),
    );
  }

  /** The object that an entry means. Null if it is new, or not clear: then the conflict is noted. */
  find<R extends OwnedObject>(
    kind: ResourceKind,
    entry: { readonly name: string; readonly renamedFrom: string },
    { rowsOf, wanted }: NamedRows<R>,
  ): { readonly row: R | null; readonly notes: readonly string[]; readonly clear: boolean } {
    const named: EntryName = { ...entry, what: wordsOf(kind), owner: this.owner };
    // What has the name before under an entry of that name is that entry's.
    const renamedFrom = wanted.has(entry.renamedFrom) ? "" : entry.renamedFrom;
    const match = matchOf({ ...named, renamedFrom }, (name) => rowsOf.get(name) ?? []);
    switch (match.is) {
      case "new":
        return { row: null, notes: [], clear: true };
      case "conflict":
        this.conflicts.push(match.sentence);
        return { row: null, notes: [], clear: false };
      case "found":
        this.#taken.add(`${kind} ${match.row.id}`);
        return { row: match.row.row, notes: match.notes, clear: true };
    }
  }

  /** What is said of an entry; `id` is null if it is made. */
  say(id: number | null, change: Omit<PlannedChange, "touch">): void {
    const of = objectKindOf(change.kind);
    const touch =
      id === null ? this.#deleted.get(`${of} ${change.name}`) : this.#touches.get(`${of} ${id}`);
    this.changes.push({ ...change, touch: change.action === "same" ? null : (touch ?? null) });
    const settled = touch?.id ?? id;
    if (settled !== null) this.writes.settled.push({ kind: of, id: settled });
  }

  /** Under which ref a monitor of the files is known to others. */
  knowMonitor(kind: string, name: string, ref: ObjectRef): void {
    for (const key of [`${kind} ${name}`, ` ${name}`])
      this.#monitorRefs.set(key, [...(this.#monitorRefs.get(key) ?? []), ref]);
  }

  knowLocation(name: string, ref: ObjectRef): void {
    this.#locationRefs.set(name, ref);
  }

  /** What stands on a page of the files, by name. */
  knowPage(slug: string, refs: PageRefs): void {
    this.#pageRefs.set(slug, refs);
  }

  /** Components of a page, of the files or else of the service; one that is not there is a conflict. */
  componentsNamed(slug: string, names: readonly string[], by: string): PageRefs | null {
    const page = this.#pageRefs.get(slug) ?? this.#pageOfService(slug);
    if (page === null) {
      const all = this.estate.pages.map((one) => one.page.definition.slug);
      this.conflicts.push(missing(by, "status page", slug, [...all, ...this.#pageRefs.keys()]));
      return null;
    }
    const known = page.components;
    for (const name of names)
      if (!known.has(name))
        this.conflicts.push(missing(by, `component of "${slug}"`, name, known.keys()));
    const named = [...known].filter(([name]) => names.includes(name));
    return { page: page.page, components: new Map(named) };
  }

  #pageOfService(slug: string): PageRefs | null {
    const found = this.estate.pages.find(({ page }) => page.definition.slug === slug);
    if (found === undefined) return null;
    const components = found.components.map(({ name, id }) => [name, id] as const);
    return { page: found.page.id, components: new Map(components) };
  }

  /** Monitors by name, of the files or else of the service; one that is not there is a conflict. */
  monitorsNamed(names: readonly NamedMonitor[], by: string): readonly ObjectRef[] {
    return [...new Set(names.flatMap((one) => this.#monitorRefsOf(one, by)))];
  }

  #monitorRefsOf({ kind, name }: NamedMonitor, by: string): readonly ObjectRef[] {
    const known = this.#monitorRefs.get(`${kind ?? ""} ${name}`);
    if (known !== undefined) return known;
    const meant = this.#monitorsById().get(idMeant(name) ?? 0);
    if (meant !== undefined) return [meant.id];
    const there = (this.#monitorsByName().get(name) ?? []).filter(
      ({ definition }) => kind === null || definition.kind === kind,
    );
    if (there.length === 0)
      this.conflicts.push(missing(by, "monitor", name, this.#monitorsByName().keys()));
    return there.map(({ id }) => id);
  }

  locationsNamed(names: readonly string[], by: string): readonly ObjectRef[] {
    const refs = names.flatMap((name) => {
      const known = this.#locationRefs.get(name);
      if (known !== undefined) return [known];
      const { locations } = this.estate;
      const found =
        locations.find((one) => one.name === name) ??
        locations.find((one) => one.id === idMeant(name));
      if (found !== undefined) return [found.id];
      const all = this.estate.locations.map((one) => one.name);
      this.conflicts.push(missing(by, "private location", name, all));
      return [];
    });
    return [...new Set(refs)];
  }

  /** Names for what refs mean: a person reads neither ids nor keys. */
  monitorName(ref: ObjectRef): string {
    if (typeof ref === "string") return ref.replace(" ", ' "') + '"';
    const row = this.#monitorsById().get(ref);
    return row === undefined ? `monitor ${ref}` : `${row.definition.kind} "${row.definition.name}"`;
  }
  locationName(ref: ObjectRef): string {
    if (typeof ref === "string") return ref.slice(locationKey("").length);
    return this.estate.locations.find(({ id }) => id === ref)?.name ?? `location ${ref}`;
  }

  /** An entry means it, though it is no object of the files. */
  take(kind: ResourceKind, id: number): void {
    this.#taken.add(`${kind} ${id}`);
  }

  /** Whether an entry of the files means this object. */
  isTaken = (kind: ResourceKind, id: number): boolean => this.#taken.has(`${kind} ${id}`);

  remove(kind: ConfigurationWrites["removals"][number]["kind"], id: number): void {
    this.writes.removals.push({ kind, id });
  }

  #names: ReadonlyMap<string, readonly MonitorRow[]> | null = null;
  #monitorsByName(): ReadonlyMap<string, readonly MonitorRow[]> {
    return (this.#names ??= Map.groupBy(this.estate.monitors, ({ definition }) => definition.name));
  }
  #ids: ReadonlyMap<number, MonitorRow> | null = null;
  #monitorsById(): ReadonlyMap<number, MonitorRow> {
    return (this.#ids ??= new Map(this.estate.monitors.map((row) => [row.id, row])));
  }
}

/** `id:7` names an object of the service, whatever it is called. */
export const idMeant = (name: string): number | null =>
  /^id:\d+$/.test(name) ? integerOf(name.slice("id:".length)) : null;

function missing(by: string, what: string, name: string, all: Iterable<string>): string {
  const meant = nearest(name, all);
  const hint = meant === null ? "" : ` Did you mean "${meant}"?`;
  return `${by} names the ${what} "${name}", which neither the files nor the service have.${hint}`;
}

/** Rows by the name that files call them by, and the names that files call. */
interface NamedRows<R extends OwnedObject> {
  readonly rowsOf: ReadonlyMap<string, readonly NamedRow<R>[]>;
  readonly wanted: ReadonlySet<string>;
}

export const byName = <R extends OwnedObject>(
  kind: ResourceKind,
  rows: readonly R[],
  nameOf: (row: R) => string,
  wanted: readonly { readonly name: string }[],
): NamedRows<R> => ({
  rowsOf: Map.groupBy(
    rows.map((row) => ({ kind, id: row.id, owner: row.owner, name: nameOf(row), row })),
    ({ name }) => name,
  ),
  wanted: new Set(wanted.map(({ name }) => name)),
});

/** A page that others refer to, and the components of it by their names. */
export interface PageRefs {
  readonly page: ObjectRef;
  readonly components: ReadonlyMap<string, ObjectRef>;
}
