import { loggedPart } from "#service/operator/changes/part-changes";
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
  const asked = entries.flatMap(({ fields }) => fields.flatMap(mentioned));
  const logged = await rooms.store.audit.names(asked);
  return (field, member) => {
    const known = now(field, member);
    if (known !== member) return known;
    const kind = kindOf(field);
    return (kind === null ? undefined : logged.get(`${kind} ${member}`)) ?? member;
  };
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

function mentioned(change: FieldChange): readonly NamedSubject[] {
  const { field } = change;
  if (change.is === "set") return [...change.added, ...change.removed].flatMap(of(kindOf(field)));
  if (change.is === "secret") return [];
  const values = [change.before, change.after];
  if (field === "page") return values.flatMap((id) => (id === null ? [] : of("page")(id)));
  return values.flatMap((value) => {
    const { monitor, group } = loggedPart(field, value) ?? {};
    return [
      ...(monitor === undefined ? [] : of("monitor")(String(monitor))),
      ...(group === undefined ? [] : of("group")(String(group))),
    ];
  });
}

/** The last of a long list is no number, but how many more there are. */
const of =
  (kind: NamedSubject["kind"] | null) =>
  (id: string): readonly NamedSubject[] =>
    kind === null || !/^\d{1,15}$/.test(id) ? [] : [{ kind, id }];
