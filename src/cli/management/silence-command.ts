import { parseDuration } from "#base/duration";
import { exitCodes } from "#cli/edge/exit-code";
import type { OptionValues } from "#cli/grammar/option";
import { readWords } from "#cli/grammar/read-words";
import type { Io } from "#cli/edge/io";
import { silenceGrammar } from "#cli/management/alerting-grammars";
import { shownInstant } from "#cli/management/instant";
import { type Inventory, readInventory } from "#cli/management/inventory";
import type { Management } from "#cli/management/management";
import { namedOne } from "#cli/management/named-item";
import { cell, column, textTable } from "#cli/management/text-table";
import { withService } from "#cli/management/with-service";
import { terminalOf } from "#cli/edge/terminal";
import { UsageError } from "#cli/edge/usage-error";
import { type Clock, systemClock } from "#base/clock";
import type { Silence } from "#contract/picket/v1/incident_pb";
import { counted, showText } from "#base/text";
import { after, type Millis } from "#base/units";

type Values = OptionValues<(typeof silenceGrammar)["options"]>;

/** `picket silence`: nothing is sent about what it names until it ends. */
export async function runSilence(
  args: readonly string[],
  io: Io,
  clock: Clock = systemClock,
): Promise<number> {
  const typed = readWords(silenceGrammar, args, io);
  if (typed === null) return exitCodes.fine;
  const { values, words } = typed;
  if (values.list) return withService("silence", io, (management) => list(management, values, io));
  const { end } = values;
  if (end !== null) return withService("silence", io, (management) => endOne(end, management, io));
  const named = words.length + values.location.length + values.label.length;
  if (named === 0) throw new UsageError("silence needs a MONITOR, --location or --label");
  const duration = durationOf(values.for);
  const labels = Object.fromEntries(values.label.map(labelOf));
  return withService("silence", io, async (management) => {
    const inventory = await readInventory(management, io.signal);
    const { silence } = await management.incidents.createSilence(
      {
        ...idsOf(words, values.location, inventory),
        labels,
        until: new Date(after(clock.wall(), duration)).toISOString(),
        reason: values.reason ?? "",
      },
      { signal: io.signal },
    );
    io.stdout.write(
      `Silence ${showText(silence?.id ?? "")} lasts until ${shownInstant(silence?.until ?? "")} UTC. End it with: picket silence --end ${showText(silence?.id ?? "")}\n`,
    );
    return exitCodes.fine;
  });
}

function durationOf(text: string | null): Millis {
  const duration = text === null ? null : parseDuration(text);
  if (duration === null || duration === 0)
    throw new UsageError("silence needs --for, a duration such as 30m or 2h");
  return duration;
}

function labelOf(text: string): readonly [string, string] {
  const [, key, value = ""] = /^([^=]+)(?:=(.*))?$/s.exec(text) ?? [];
  if (key === undefined) throw new UsageError("--label must be KEY=VALUE, e.g. team=shop");
  return [key, value];
}

const idsOf = (
  monitors: readonly string[],
  locations: readonly string[],
  inventory: Inventory,
) => ({
  monitorIds: monitors.map((name) => namedOne("monitor", name, inventory.monitors).id),
  privateLocationIds: locations.map((name) => namedOne("location", name, inventory.locations).id),
});

async function endOne(id: string, { incidents }: Management, io: Io): Promise<number> {
  await incidents.endSilence({ id }, { signal: io.signal });
  io.stdout.write(`Silence ${showText(id)} has ended.\n`);
  return exitCodes.fine;
}

async function list(management: Management, { json }: Values, io: Io): Promise<number> {
  const [{ silences }, inventory] = await Promise.all([
    management.incidents.listSilences({}, { signal: io.signal }),
    readInventory(management, io.signal),
  ]);
  const lines = json
    ? silences.map((one) => JSON.stringify(silenceJson(one)))
    : [
        ...(silences.length === 0
          ? []
          : textTable(
              [
                column("ID"),
                column("ABOUT", { gives: true }),
                column("UNTIL (UTC)"),
                column("REASON", { gives: true }),
              ],
              silences.map((one) => [
                cell(one.id),
                cell(aboutOf(one, inventory)),
                cell(shownInstant(one.until)),
                cell(one.reason),
              ]),
              terminalOf(io),
            )),
        `${counted(silences.length, "silence")}.`,
      ];
  io.stdout.write(lines.map((line) => `${line}\n`).join(""));
  return exitCodes.fine;
}

function aboutOf(
  { monitorIds, privateLocationIds, labels }: Silence,
  { monitors, locations }: Inventory,
): string {
  const nameOf = (id: string, all: readonly { readonly id: string; readonly name: string }[]) =>
    all.find((one) => one.id === id)?.name ?? id;
  return [
    ...monitorIds.map((id) => nameOf(id, monitors)),
    ...privateLocationIds.map((id) => nameOf(id, locations)),
    ...Object.entries(labels).map(([key, value]) => (value === "" ? key : `${key}=${value}`)),
  ].join(", ");
}

const silenceJson = (one: Silence): object => ({
  id: one.id,
  monitor_ids: one.monitorIds,
  location_ids: one.privateLocationIds,
  labels: one.labels,
  from: one.from,
  until: one.until,
  reason: one.reason,
  made_by: one.madeBy,
});
