import { kinds } from "#check/monitor";
import { listOf } from "#check/monitor-arguments";
import { commonOwner } from "#service/configuration/owner";
import { yamlOf } from "#cli/apply/written-yaml";
import { counted, showText } from "#base/text";

/** One object as an entry of a list of a file. */
export interface Entry {
  readonly list: string;
  readonly id: string;
  readonly name: string;
  readonly content: object;
}

export interface OwnedEntry extends Entry {
  /** Empty: none, or one that this key does not learn. */
  readonly owner: string;
}

/** The lists of a file, in the order in which they are written. */
export const exportedLists: readonly string[] = [
  ...kinds.map((kind): string => listOf(kind)),
  "private_locations",
  "notifications",
  "status_pages",
  "maintenances",
];

/** Entries as a file, with ids and owners as comments. `seesAll` is false for a key that may only read. */
export function exportedFile(entries: readonly OwnedEntry[], seesAll: boolean): string {
  if (entries.length === 0) return "# The service has nothing.\n";
  const byList = exportedLists.flatMap((list) => {
    const all = entries
      .filter((one) => one.list === list)
      .toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
    return all.length === 0 ? [] : [[list, all] as const];
  });
  const { owner, comment } = ownershipOf(entries);
  const hasMonitors = byList.some(([list]) => list.endsWith("_monitors"));
  const about = !seesAll && hasMonitors ? withoutSecrets : comment;
  const lists = byList.map(([list, all]) => `${list}:\n${all.map(itemOf).join("")}`);
  return [
    about === null ? "" : `#${about}\n\n`,
    owner === null ? "" : yamlOf({ owner }),
    ...lists,
  ].join("");
}

/** An entry as an item of its list, below a comment that says what it is on the service. */
function itemOf({ id, owner, content }: OwnedEntry): string {
  const of = owner === "" ? "" : `, of ${showText(owner)}`;
  const item = yamlOf([content]).replace(/^(?=.)/gm, "  ");
  return `  # id ${id}${of}\n${item}`;
}

const withoutSecrets =
  " The key may only read, so this is not all: bodies, expected header values, and queries and user-info of URLs are missing.";

/** A file is of one owner: whose this one is, and what its reader should know of that. */
function ownershipOf(entries: readonly OwnedEntry[]): {
  readonly owner: string | null;
  readonly comment: string | null;
} {
  const owners = [...new Set(entries.map((one) => one.owner))].filter(
    (one) => one !== "" && one !== commonOwner,
  );
  const [owner = null, ...others] = owners;
  const common = entries.filter((one) => one.owner === commonOwner).length;
  if (others.length > 0) {
    const named = owners.toSorted().map(showText).join(", ");
    const all = common === 0 ? named : `${named} and to files that name no owner`;
    const comment = ` These objects belong to ${all}, and a file to one owner: picket export --owner NAME prints its own.`;
    return { owner: null, comment };
  }
  const free = entries.filter((one) => one.owner === "").length;
  return { owner, comment: owner === null ? null : joinsOf(free, common) };
}

/** What a file's owner gets in addition: objects of no owner, and those of files that name none. */
function joinsOf(free: number, common: number): string | null {
  if (free + common === 0) return null;
  const freeOnes = `${counted(free, "object")} of these ${free === 1 ? "has" : "have"} no owner`;
  const belong = common === 1 ? "belongs" : "belong";
  const commonOnes =
    free === 0
      ? `${counted(common, "object")} of these ${belong} to files that name no owner`
      : `${counted(common, "object")} ${belong} to files that name none`;
  const said = [...(free === 0 ? [] : [freeOnes]), ...(common === 0 ? [] : [commonOnes])];
  return ` ${said.join(", and ")}: picket apply gives ${free + common === 1 ? "it" : "them"} this one.`;
}
