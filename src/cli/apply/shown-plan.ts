import type {
  Change,
  FieldChange,
  PlanConfigurationResponse,
} from "#contract/picket/v1/configuration_pb";
import { type Colour, coloured } from "#cli/edge/coloured";
import { counted, showText } from "#base/text";

/** A plan for a person: what is made, what changes from what to what, what goes, and what the files do not have. */
export function shownPlan(
  { changes, unmanaged }: Pick<PlanConfigurationResponse, "changes" | "unmanaged">,
  { verbose, colour }: { readonly verbose: boolean; readonly colour: boolean },
): string {
  const shown = changes.filter(({ action }) => verbose || action !== "same");
  const lines = shown.map((change) => {
    const { sign, colour: own } = signOf(change);
    return `${coloured(sign, own, colour)} ${changeLine(change)}`;
  });
  return `${[...lines, summaryOf(changes), ...unmanagedLines(unmanaged, verbose)].join("\n")}\n`;
}

interface Sign {
  readonly sign: string;
  readonly colour: Colour;
  readonly verb: string;
}
const signs: ReadonlyMap<string, Sign> = new Map([
  ["create", { sign: "+", colour: "green", verb: "to create" }],
  ["update", { sign: "~", colour: "yellow", verb: "to update" }],
  ["replace", { sign: "-/+", colour: "red", verb: "to replace" }],
  ["delete", { sign: "-", colour: "red", verb: "to delete" }],
  ["same", { sign: "=", colour: "dim", verb: "the same" }],
]);

/** A service that is newer may know another action. */
const signOf = ({ action }: Change): Sign =>
  signs.get(action) ?? { sign: "?", colour: "dim", verb: action };

/** Replacements and deletions are counted if there are any. */
function summaryOf(changes: readonly Change[]): string {
  const counts = [...signs].flatMap(([action, { verb }]) => {
    const count = changes.filter((one) => one.action === action).length;
    const seldom = action === "replace" || action === "delete";
    return seldom && count === 0 ? [] : [`${count} ${verb}`];
  });
  return `${counts.join(", ")}.`;
}

/** `http "shop": timeout 5000 → 6000, headers changed`. */
function changeLine({ kind, name, fields, notes, touchedBy, touchedAt }: Change): string {
  const changes = fields.map(fieldText).join(", ");
  const by = touchedAt === "" ? [] : [`by hand: ${showText(touchedBy)}, ${touchedAt}`];
  const said = [...notes.map(showText), ...by];
  return `${wordsOf(kind)} ${quote(name)}${changes === "" ? "" : `: ${changes}`}${said.map((one) => ` (${one})`).join("")}`;
}

/** `http`, `private location`. */
const wordsOf = (kind: string): string =>
  kind.replace(/^(\w+)_monitor$/, (_, one: string) => one.padEnd(4)).replaceAll("_", " ");

function fieldText({ name, before, after, secret, added, removed }: FieldChange): string {
  const names = [...added.map((one) => `+ ${one}`), ...removed.map((one) => `− ${one}`)];
  if (names.length > namesShownMax) return `${name}: ${added.length} more, ${removed.length} fewer`;
  if (names.length > 0) return `${name} ${names.map(showText).join(" ")}`;
  return secret ? `${name} changed` : `${name} ${showText(before)} → ${showText(after)}`;
}

const namesShownMax = 12;

function unmanagedLines(
  unmanaged: PlanConfigurationResponse["unmanaged"],
  verbose: boolean,
): readonly string[] {
  if (unmanaged.length === 0) return [];
  const of = (owner: string): string => (owner === "" ? "" : ` of ${quote(owner)}`);
  if (verbose)
    return [
      "The service also has, and keeps:",
      ...unmanaged.map(({ kind, name, owner }) => `  ${wordsOf(kind)} ${quote(name)}${of(owner)}`),
    ];
  const one = unmanaged.length === 1;
  return [
    `${counted(unmanaged.length, "object")} of the service ${one ? "is" : "are"} in no file and ${one ? "stays" : "stay"} (--verbose names them).`,
  ];
}

/** The one line that says how many monitors notify no one, with the next step; empty if none does. */
export function unheardLine({
  monitorsWithoutChannel: count,
}: Pick<PlanConfigurationResponse, "monitorsWithoutChannel">): string {
  if (count === 0) return "";
  return `${counted(count, "monitor")} ${count === 1 ? "notifies" : "notify"} no one: make a channel for all monitors on the page Channels, or write \`all_monitors: true\` in a channel of a file.\n`;
}

/** The same for a program. */
export const planJson = ({
  changes,
  unmanaged,
  revision,
  monitorsWithoutChannel,
}: Pick<
  PlanConfigurationResponse,
  "changes" | "unmanaged" | "revision" | "monitorsWithoutChannel"
>): object => ({
  revision,
  monitors_without_channel: monitorsWithoutChannel,
  changes: changes.map(({ action, kind, name, fields, notes, touchedBy, touchedAt }) => ({
    action,
    kind,
    name,
    fields: fields.map(({ name: field, before, after, secret, added, removed }) => ({
      name: field,
      before: secret ? null : before,
      after: secret ? null : after,
      secret,
      added,
      removed,
    })),
    notes,
    touched_by: touchedBy === "" ? null : touchedBy,
    touched_at: touchedAt === "" ? null : touchedAt,
  })),
  unmanaged: unmanaged.map(({ kind, name, owner }) => ({ kind, name, owner })),
});

export const quote = (name: string): string => `"${showText(name)}"`;
