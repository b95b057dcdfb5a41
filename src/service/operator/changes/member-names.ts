import { loggedImpacts } from "#service/operator/changes/logged-impacts";
import { loggedPart, partChange } from "#service/operator/changes/part-changes";
import type { PageContext } from "#service/operator/page-request";
import type { Picture } from "#service/operator/picture";
import type { AuditEntry, NamedSubject } from "#service/store/audit/audit-log";
import type { FieldChange } from "#service/store/audit/field-change";

/** What a member of a list is called, e.g. `2` of `monitors`. */
export type MemberNames = (field: string, member: string) => string;

/** Monitors and locations that are there now have their names; any other has its number. */
export const memberNames =
  ({ monitors, locations }: Picture): MemberNames =>
  (field, member) => {
    const all = field === "monitors" ? monitors : field === "locations" ? locations : [];
    return all.find(({ id }) => String(id) === member)?.name ?? member;
  };

/** The names of all that these entries name by number; what is gone has the name that it had. */
export async function namesIn(
  { rooms, pictures }: PageContext,
  entries: readonly AuditEntry[],
): Promise<MemberNames> {
  const now = memberNames(await pictures.now());
  const parts = partsIn(entries);
  const asked = entries.flatMap((entry) => {
    const page = pageOf(entry);
    return entry.fields.flatMap((change) => mentioned(change, { page, parts }));
  });
  const logged = await rooms.store.audit.names(asked);
  return (field, member) => {
    const known = now(field, member);
    if (known !== member) return known;
    const kind = kindOf(field);
    const key = `${kind} ${member}`;
    return logged.get(key) ?? (parts.get(key) || member);
  };
}

/** What parts of status pages are called in these entries, by `kind id`: the newest of each. */
function partsIn(entries: readonly AuditEntry[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const change of entries.flatMap(({ fields }) => fields)) {
    const part = partChange(change);
    const said = part?.after ?? part?.before;
    if (said && !names.has(change.field)) names.set(change.field, said.name);
  }
  return names;
}

/** The status page whose parts an entry names. */
function pageOf({ subject, fields }: AuditEntry): string | null {
  if (subject.kind === "page") return subject.id;
  const page = fields.find(({ field }) => field === "page");
  return page?.is === "text" ? (page.after ?? page.before) : null;
}

/** Lists of the log by what is in them. */
const kinds: Readonly<Record<string, NamedSubject["kind"]>> = {
  monitors: "monitor",
  locations: "location",
  components: "component",
  groups: "group",
  page: "page",
};

const kindOf = (field: string): NamedSubject["kind"] | null => kinds[field] ?? null;

interface Naming {
  /** Of the parts that the entry names. */
  readonly page: string | null;
  /** Parts whose names are known. */
  readonly parts: ReadonlyMap<string, string>;
}

function mentioned(change: FieldChange, naming: Naming): readonly NamedSubject[] {
  const { field } = change;
  const of = (kind: NamedSubject["kind"] | null) => named(kind, naming);
  if (change.is === "set") return [...change.added, ...change.removed].flatMap(of(kindOf(field)));
  if (change.is === "secret") return [];
  const values = [change.before, change.after];
  if (field === "page") return values.flatMap((id) => (id === null ? [] : of("page")(id)));
  return values.flatMap((value) => {
    const impacts = loggedImpacts(field, value);
    if (impacts !== null) return impacts.components.flatMap(of("component"));
    const { monitor, group } = loggedPart(field, value) ?? {};
    return [
      ...(monitor === undefined ? [] : of("monitor")(String(monitor))),
      ...(group === undefined ? [] : of("group")(String(group))),
    ];
  });
}

/** The last of a long list is no number, but how many more there are. */
const named =
  (kind: NamedSubject["kind"] | null, { page, parts }: Naming) =>
  (id: string): readonly NamedSubject[] => {
    if (kind === null || !/^\d{1,15}$/.test(id)) return [];
    if (kind !== "component" && kind !== "group") return [{ kind, id }];
    return [{ kind, id, page: parts.has(`${kind} ${id}`) ? null : page }];
  };
