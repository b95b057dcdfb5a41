import { create } from "@bufbuild/protobuf";
import {
  type MonitorsResponse,
  MonitorsResponseSchema,
} from "#contract/private_location/v1/private_location_pb";
import type { MonitorDefinition } from "#check/definition";
import * as checkLimits from "#limits/check-limits";
import * as limits from "#limits/wire-limits";
import type { Remark } from "#check/findings";
import { kinds, type Monitor } from "#check/monitor";
import { assignedMonitor, assignedName } from "#check/read-monitor";
import { Alike } from "#wire/alike";
import { cutTexts } from "#wire/cut-texts";
import { codecOf } from "#wire/kinds/codec-table";
import { monitorLists } from "#wire/monitor-lists";
import { counted, cutText, shownName } from "#base/text";
import { unknownKinds, unknownParts } from "#wire/unknown-parts";
import { epochMillis, type EpochMillis } from "#base/units";

/** A remark on one monitor; null is on the assignment as such. */
export interface AssignmentRemark extends Remark {
  readonly monitorId: string | null;
  /** Null if the service gives the monitor none, and where the remark is on no monitor. */
  readonly monitorName: string | null;
}

/** What a location's agent is to run. */
export interface Assignment {
  readonly monitors: readonly Monitor[];
  /** Null if the service does not number its assignments. */
  readonly revision: string | null;
  /** Display name of the location. */
  readonly region: string;
  /** The newest slot that the location has a result of, by monitor; empty if the service does not tell. */
  readonly newestSlots: ReadonlyMap<string, EpochMillis>;
  /** What was left out or changed, so that the rest runs. */
  readonly remarks: readonly AssignmentRemark[];
  /** As the service sent it. */
  readonly message: MonitorsResponse;
  /** What it changes, where `monitors` are only those that are new or changed; null if they are all. */
  readonly changes: AssignmentChanges | null;
}

interface AssignmentChanges {
  /** The revision that everything else stays as it is of. */
  readonly since: string;
  /** The ids of monitors that are not run any more. They may never have been. */
  readonly removed: readonly string[];
}

/**
 * Reads the monitors of a pull. One that cannot be run becomes a rejected monitor and takes nothing with it; one
 * without an id has no name to report under and is left out; an id that comes twice counts once.
 */
export function readAssignment(message: MonitorsResponse): Assignment {
  const monitors = new Map<string, Monitor>();
  const remarks = new AssignmentRemarks();
  const alike = new Alike();
  cutAll(message, remarks);
  remarkUnknown(message, remarks);
  for (const { id, definition } of definitionsOf(message)) {
    const max = checkLimits.monitorsPerAgentMax;
    const name = assignedName(definition.name);
    const remark = (field: string, what: string): void => remarks.add(id, name, field, what);
    if (id === "") remark("id", "is missing in a monitor: it is left out");
    else if (id.length > checkLimits.monitorIdCharsMax)
      remark(
        "id",
        `is longer than ${checkLimits.monitorIdCharsMax} characters: the monitor is left out`,
      );
    else if (monitors.has(id)) remark("id", "is assigned twice: the monitor runs once");
    else if (monitors.size >= max)
      remark("id", `is more than the ${max} that one agent runs: it is left out`);
    else {
      const read = assignedMonitor(id, definition);
      if (read.monitor !== null) monitors.set(id, alike.monitor(read.monitor));
      for (const { field, message: what } of read.remarks) remark(field, what);
    }
  }
  return {
    monitors: [...monitors.values()],
    revision: readRevision(message.revision),
    region: shownName(message.region, checkLimits.nameCharsMax),
    newestSlots: new Map(
      Object.entries(message.newestSlots).map(([id, slot]) => [id, epochMillis(Number(slot))]),
    ),
    remarks: remarks.list(),
    message,
    changes:
      message.changedSince === ""
        ? null
        : { since: message.changedSince, removed: message.removed },
  };
}

/** A text of megabytes would be in every copy of the assignment, and in every result of its monitor. */
function cutAll(message: MonitorsResponse, remarks: AssignmentRemarks): void {
  const { newestSlots } = message;
  for (const { schema, of } of monitorLists)
    for (const monitor of of(message))
      cutTexts(schema, monitor, (path, max) =>
        remarks.add(
          monitor.id,
          assignedName(monitor.name),
          path,
          `is longer than ${max} characters: the rest of it is left out`,
        ),
      );
  for (const field of ["region", "revision"] as const)
    if (message[field].length > limits.assignedTextCharsMax) {
      message[field] = "";
      remarks.add("", null, field, "is too long: it is left out");
    }
  for (const id of Object.keys(newestSlots))
    if (id.length > checkLimits.monitorIdCharsMax) delete newestSlots[id];
}

/** Nothing of a newer service vanishes without a word. */
function remarkUnknown(message: MonitorsResponse, remarks: AssignmentRemarks): void {
  for (const { field, monitors } of unknownKinds(message))
    remarks.add(
      "",
      null,
      `field ${field}`,
      `has ${counted(monitors, "monitor")} of a kind that this version of the agent does not know, so nothing of it is checked: upgrade the agent`,
    );
  for (const { schema, of } of monitorLists)
    for (const monitor of of(message))
      for (const part of unknownParts(schema, monitor))
        remarks.add(
          monitor.id,
          assignedName(monitor.name),
          part,
          "is not known to this version of the agent, and the monitor runs without it: upgrade the agent",
        );
}

/** Null if there is none. It is sent back with every call: one that is too long is as good as none. */
export const readRevision = (revision: string): string | null =>
  revision === "" || revision.length > checkLimits.nameCharsMax ? null : revision;

/** A remark without its full stop; the monitor first, if it is about one. */
export const remarkSentence = ({
  monitorId,
  monitorName,
  field,
  message,
}: AssignmentRemark): string =>
  `${monitorId === null ? "" : `${monitorName ?? monitorId}: `}${field} ${message}`;

/** As many remarks as are kept; those past it are counted. */
class AssignmentRemarks {
  readonly #kept: AssignmentRemark[] = [];
  #more = 0;

  add(id: string, monitorName: string | null, field: string, message: string): void {
    const monitorId = id === "" ? null : cutText(id, checkLimits.monitorIdCharsMax);
    if (this.#kept.length < limits.remarksKeptMax)
      this.#kept.push({ monitorId, monitorName, field, message });
    else this.#more += 1;
  }

  list(): readonly AssignmentRemark[] {
    if (this.#more === 0) return this.#kept;
    const message = `have ${this.#more} more remarks than the ${this.#kept.length} that are kept`;
    return [...this.#kept, { monitorId: null, monitorName: null, field: "monitors", message }];
  }
}

/**
 * A whole assignment with its changes in it, oldest first. All are made in one pass, from the newest: a monitor is as it
 * was said last, however many thousand changes there are.
 */
export function withChanges(
  whole: MonitorsResponse,
  changes: readonly MonitorsResponse[],
): MonitorsResponse {
  const last = changes.at(-1);
  if (last === undefined) return whole;
  const { region, revision } = last;
  const merged = create(MonitorsResponseSchema, { region, revision });
  const touched = new Set<string>();
  for (const layer of [whole, ...changes].toReversed()) {
    for (const kind of kinds) {
      const { list } = codecOf(kind).assignment;
      for (const one of list(layer).toReversed()) if (!touched.has(one.id)) list(merged).push(one);
    }
    for (const id of layer.removed) touched.add(id);
    for (const { of } of monitorLists) for (const { id } of of(layer)) touched.add(id);
  }
  for (const kind of kinds) codecOf(kind).assignment.list(merged).reverse();
  for (const { newestSlots } of [whole, ...changes]) Object.assign(merged.newestSlots, newestSlots);
  return merged;
}

/** How many monitors an assignment has, of every kind. */
export const assignedCount = (message: MonitorsResponse): number =>
  monitorLists.reduce((sum, { of }) => sum + of(message).length, 0);

interface AssignedDefinition {
  readonly id: string;
  readonly definition: MonitorDefinition;
}

const definitionsOf = (response: MonitorsResponse): readonly AssignedDefinition[] =>
  kinds.flatMap((kind) => {
    const { list, read } = codecOf(kind).assignment;
    return list(response).map((one) => ({ id: one.id, definition: read(one) }));
  });
