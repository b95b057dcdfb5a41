import { exitCodes } from "#cli/edge/exit-code";
import { readWords } from "#cli/grammar/read-words";
import type { Io } from "#cli/edge/io";
import { ackGrammar, deliveriesGrammar, incidentsGrammar } from "#cli/management/alerting-grammars";
import { shownAge, shownInstant } from "#cli/management/instant";
import type { Management } from "#cli/management/management";
import { statusMarks } from "#cli/management/status-marks";
import { cell, column, textTable } from "#cli/management/text-table";
import { CannotDo, withService } from "#cli/management/with-service";
import { type Terminal, terminalOf } from "#cli/edge/terminal";
import { UsageError } from "#cli/edge/usage-error";
import { systemClock } from "#base/clock";
import type { Delivery, Incident, IncidentEvent } from "#contract/picket/v1/incident_pb";
import * as limits from "#limits/service-limits";
import { closureWords } from "#service/alerts/incident-words";
import { holdSentence } from "#service/operator/incidents/delivery-words";
import { counted } from "#base/text";

/** `picket incidents`: those that are open, or all, or one with its events. */
export async function runIncidents(args: readonly string[], io: Io): Promise<number> {
  const typed = readWords(incidentsGrammar, args, io);
  if (typed === null) return exitCodes.fine;
  const { values, words } = typed;
  const [number, ...more] = words;
  if (more.length > 0) throw new UsageError("incidents takes one NUMBER");
  const limit = lastOf(values.last);
  const wanted = number === undefined ? null : numberOf(number);
  return withService("incidents", io, async (management) => {
    if (wanted !== null) return showIncident(wanted, values.json, management, io);
    const { incidents, totalSize } = await management.incidents.listIncidents(
      values.all ? { limit } : { limit, open: true },
      { signal: io.signal },
    );
    const which = values.all ? "incident" : "open incident";
    const lines = values.json
      ? incidents.map((one) => JSON.stringify(incidentJson(one)))
      : [
          ...(incidents.length === 0 ? [] : incidentTable(incidents, terminalOf(io))),
          `${counted(totalSize, which)}.`,
        ];
    io.stdout.write(lines.map((line) => `${line}\n`).join(""));
    return exitCodes.fine;
  });
}

async function showIncident(
  number: bigint,
  json: boolean,
  { incidents }: Management,
  io: Io,
): Promise<number> {
  const { incident, events } = await incidents.getIncident({ number }, { signal: io.signal });
  if (incident === undefined) throw new CannotDo(`there is no incident ${number}`);
  const terminal = terminalOf(io);
  const lines = json
    ? [JSON.stringify({ ...incidentJson(incident), events: events.map(eventJson) })]
    : [
        ...incidentTable([incident], terminal),
        "",
        ...textTable(
          [column("AT (UTC)"), column("EVENT"), column("SEVERITY")],
          events.map((one) => [cell(shownInstant(one.at)), cell(one.kind), cell(one.severity)]),
          terminal,
        ),
      ];
  io.stdout.write(lines.map((line) => `${line}\n`).join(""));
  return exitCodes.fine;
}

/** `picket ack`: an incident is acknowledged. */
export async function runAck(args: readonly string[], io: Io): Promise<number> {
  const typed = readWords(ackGrammar, args, io);
  if (typed === null) return exitCodes.fine;
  const [text, ...more] = typed.words;
  if (text === undefined || more.length > 0) throw new UsageError("ack takes one NUMBER");
  const number = numberOf(text);
  return withService("ack", io, async ({ incidents }) => {
    await incidents.acknowledgeIncident({ number }, { signal: io.signal });
    io.stdout.write(`Incident ${number} is acknowledged.\n`);
    return exitCodes.fine;
  });
}

/** `picket deliveries`: what was sent, what waits, and what was not sent and why. */
export async function runDeliveries(args: readonly string[], io: Io): Promise<number> {
  const typed = readWords(deliveriesGrammar, args, io);
  if (typed === null) return exitCodes.fine;
  const { values } = typed;
  const limit = lastOf(values.last);
  const incident = values.incident === null ? 0n : numberOf(values.incident);
  return withService("deliveries", io, async ({ deliveries: service }) => {
    const { deliveries, totalSize } = await service.listDeliveries(
      { limit, incident, state: values.state ?? "" },
      { signal: io.signal },
    );
    const lines = values.json
      ? deliveries.map((one) => JSON.stringify(deliveryJson(one)))
      : [
          ...(deliveries.length === 0 ? [] : deliveryTable(deliveries, terminalOf(io))),
          `${totalSize} ${totalSize === 1 ? "delivery" : "deliveries"}.`,
        ];
    io.stdout.write(lines.map((line) => `${line}\n`).join(""));
    return exitCodes.fine;
  });
}

function lastOf(text: string | null): number {
  if (text === null) return limits.monitorsListDefault;
  const last = Number(text);
  if (/^\d+$/.test(text) && last >= 1 && last <= limits.monitorsListMax) return last;
  throw new UsageError(`--last must be in 1 to ${limits.monitorsListMax}, not "${text}"`);
}

function numberOf(text: string): bigint {
  if (/^\d{1,15}$/.test(text)) return BigInt(text);
  throw new UsageError(`give an incident by its number, not "${text}"`);
}

const incidentTable = (incidents: readonly Incident[], terminal: Terminal): readonly string[] =>
  textTable(
    [
      column("", {}),
      column("NUMBER", { align: "right" }),
      column("KIND"),
      column("NAME", { gives: true }),
      column("SEVERITY"),
      column("STARTED (UTC)"),
      column("FOR", { align: "right" }),
      column("STATE", { gives: true }),
    ],
    incidents.map((one) => {
      const ended = one.endedAt !== "";
      const { mark, colour } =
        statusMarks[ended ? endOf(one) : one.severity === "degraded" ? "degraded" : "error"];
      const until = ended ? Date.parse(one.endedAt) : systemClock.wall();
      return [
        cell(mark, colour),
        cell(String(one.number)),
        cell(one.kind),
        cell(one.name),
        cell(one.severity, ended ? "plain" : colour),
        cell(shownInstant(one.startedAt)),
        cell(shownAge(one.startedAt, until)),
        cell(stateOf(one)),
      ];
    }),
    terminal,
  );

/** As on the pages: of those that are over, only one that recovered is green. */
const endOf = ({ kind, endedBecause }: Incident): "active" | "inactive" =>
  closureWords(kind, endedBecause) === null ? "active" : "inactive";

function stateOf({
  endedBecause,
  endedAt,
  acknowledgedBy,
  flapping,
  noDataSince,
  ...one
}: Incident) {
  if (endedAt !== "") return closureWords(one.kind, endedBecause) ?? (endedBecause || "ended");
  return [
    ...(one.acknowledgedAt === "" ? [] : [`acknowledged by ${acknowledgedBy}`]),
    ...(flapping ? ["flapping"] : []),
    ...(noDataSince === "" ? [] : ["no data"]),
  ].join(", ");
}

const deliveryTable = (deliveries: readonly Delivery[], terminal: Terminal): readonly string[] =>
  textTable(
    [
      column("CREATED (UTC)"),
      column("INCIDENT", { align: "right" }),
      column("EVENT"),
      column("CHANNEL", { gives: true }),
      column("STATE"),
      column("ATTEMPTS", { align: "right" }),
      column("WHY", { gives: true }),
    ],
    deliveries.map((one) => [
      cell(shownInstant(one.createdAt)),
      cell(String(one.incident)),
      cell(one.kind),
      cell(one.name || one.notificationId),
      cell(
        one.state,
        one.state === "dropped" ? "red" : one.state === "waiting" ? "yellow" : "green",
      ),
      cell(one.attempts),
      cell(one.message || (holdSentence(one.reason) ?? one.reason)),
    ]),
    terminal,
  );

const incidentJson = (one: Incident): object => ({
  number: Number(one.number),
  kind: one.kind,
  subject_id: one.subjectId,
  name: one.name,
  severity: one.severity,
  started_at: one.startedAt,
  opened_at: one.openedAt,
  ended_at: one.endedAt || null,
  ended_because: one.endedBecause || null,
  no_data_since: one.noDataSince || null,
  flapping: one.flapping,
  acknowledged_at: one.acknowledgedAt || null,
  acknowledged_by: one.acknowledgedBy || null,
});

const eventJson = ({ number, kind, severity, at }: IncidentEvent): object => ({
  number,
  kind,
  severity,
  at,
});

const deliveryJson = (one: Delivery): object => ({
  id: one.id,
  notification_id: one.notificationId,
  name: one.name,
  incident: Number(one.incident),
  event: one.event,
  kind: one.kind,
  state: one.state,
  reason: one.reason || null,
  message: one.message,
  created_at: one.createdAt,
  settled_at: one.settledAt || null,
  attempts: one.attempts,
});
