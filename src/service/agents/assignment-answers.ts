import type { MonitorsResponse } from "#contract/private_location/v1/private_location_pb";
import * as limits from "#limits/service-limits";
import type { Monitors } from "#service/monitors/monitors";
import { joined } from "#service/edge/own-body";
import type { Share } from "#service/agents/sharing";
import { FairTurns } from "#service/edge/turns";
import { type LocationId, type MonitorId, monitorId } from "#service/store/ids";
import type { LocationRow } from "#service/store/state-store";
import type { Store } from "#service/store/store";
import { assignmentWriter } from "#wire/assignment-writer";
import type { MessageFormat } from "#wire/message-bounds";
import { assignedMonitors } from "#wire/write-assignment";

/**
 * Writes what an agent is to run while it is sent: a portion is read and encoded when the one before it has gone. Others
 * are answered in between, and an agent that reads slowly has no more than a portion in memory.
 */
export class AssignmentAnswers {
  readonly #store: Store;
  readonly #monitors: Monitors;
  /** One portion at a time, so that a hundred agents that pull at once hold up others as little as one. */
  readonly #turns = new FairTurns<LocationId>(1);

  constructor(store: Store, monitors: Monitors) {
    this.#store = store;
    this.#monitors = monitors;
  }

  async written(
    location: LocationRow,
    share: Pick<Share, "revision" | "monitorIds">,
    format: MessageFormat,
  ): Promise<AsyncIterable<Uint8Array>> {
    const ids =
      share.monitorIds?.map((id) => monitorId(Number(id))) ??
      (await this.#monitors.assignedIds(location.id));
    const read = (portion: readonly MonitorId[]): Promise<MonitorsResponse> =>
      this.#read(location.id, portion);
    const parts = this.#write(location, share.revision, { ids, read, format });
    // What fails at its beginning is answered with its reason; what fails later can only break the answer off.
    const first = await parts.next();
    return first.done === true ? parts : joined([first.value], parts);
  }

  async *#write(
    { id: location, name: region }: LocationRow,
    revision: string,
    { ids, read, format }: Writing,
  ): AsyncGenerator<Uint8Array> {
    const writer = assignmentWriter(format);
    for (let first = 0; first < ids.length; first += limits.assignedReadAtOnce) {
      const portion = ids.slice(first, first + limits.assignedReadAtOnce);
      const bytes = await this.#turns.take(location, async () =>
        writer.portion(await read(portion)),
      );
      if (bytes.length > 0) yield bytes;
    }
    yield writer.end({ region, revision });
  }

  async #read(location: LocationId, ids: readonly MonitorId[]): Promise<MonitorsResponse> {
    const [rows, newestSlots] = await Promise.all([
      this.#monitors.among(ids),
      this.#store.results.newestSlots(location, ids),
    ]);
    const assigned = rows
      .toSorted((a, b) => a.id - b.id)
      .map(({ id, definition }) => ({
        id: String(id),
        definition,
        newestSlot: newestSlots.get(id) ?? null,
      }));
    return assignedMonitors(assigned);
  }
}

interface Writing {
  readonly ids: readonly MonitorId[];
  readonly read: (portion: readonly MonitorId[]) => Promise<MonitorsResponse>;
  readonly format: MessageFormat;
}
