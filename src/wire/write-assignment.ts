import { create } from "@bufbuild/protobuf";
import {
  type MonitorsResponse,
  MonitorsResponseSchema,
} from "#contract/private_location/v1/private_location_pb";
import type { DefinitionOf, MonitorDefinition } from "#check/definition";
import type { Kind } from "#check/monitor";
import { codecOf } from "#wire/kinds/codec-table";
import type { EpochMillis } from "#base/units";

interface AssignedMonitor {
  readonly id: string;
  readonly definition: MonitorDefinition;
  /** The newest slot that the location has a result of; null if there is none. */
  readonly newestSlot: EpochMillis | null;
}

/** Monitors that an agent is to run, as it receives them. */
export function assignedMonitors(assigned: readonly AssignedMonitor[]): MonitorsResponse {
  const response = create(MonitorsResponseSchema, {
    newestSlots: Object.fromEntries(
      assigned.flatMap(({ id, newestSlot }) =>
        newestSlot === null ? [] : [[id, BigInt(newestSlot)]],
      ),
    ),
  });
  for (const { id, definition } of assigned) assign(response, id, definition.kind, definition);
  return response;
}

function assign<K extends Kind>(
  response: MonitorsResponse,
  id: string,
  kind: K,
  definition: DefinitionOf<K>,
): void {
  const { assignment } = codecOf(kind);
  assignment.list(response).push(assignment.write(id, definition));
}
