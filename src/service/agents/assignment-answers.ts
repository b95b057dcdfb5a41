import type {
  MonitorsRequest,
  MonitorsResponse,
} from "#contract/private_location/v1/private_location_pb";
import * as limits from "#limits/service-limits";
import type { Monitors } from "#service/monitors/monitors";
import { joined } from "#service/edge/own-body";
import type { Share, Sharing } from "#service/agents/sharing";
import { FairTurns } from "#service/edge/turns";
import { type LocationId, type MonitorId, monitorId } from "#service/store/ids";
import type { LocationRow } from "#service/store/state-store";
import type { Store } from "#service/store/store";
import { type AssignmentHead, assignmentWriter } from "#wire/assignment-writer";
import type { MessageFormat } from "#wire/message-bounds";
import { assignedMonitors } from "#wire/write-assignment";
import type { EpochMillis } from "#base/units";

/**
 * Writes what an agent is to run while it is sent: a portion is read and encoded when the one before it has gone. Others
 * are answered in between, and an agent that reads slowly has no more than a portion in memory.
 */
export class AssignmentAnswers {
  readonly #store: Store;
  readonly #monitors: Monitors;
  readonly #sharing: Pick<Sharing, "changesSince">;
  /** One portion at a time, so that a hundred agents that pull at once hold up others as little as one. */
  readonly #turns = new FairTurns<LocationId>(1);

  constructor(store: Store, monitors: Monitors, sharing: Pick<Sharing, "changesSince">) {
    this.#store = store;
    this.#sharing = sharing;
    this.#monitors = monitors;
  }

  /** What changed since the revision that an agent knows, if it takes that and it is known; else the whole. */
  async written(
    location: LocationRow,
    { instanceId, knownRevision, takesChanges }: ChangesRequest,
    share: Pick<Share, "revision" | "monitorIds">,
    format: MessageFormat,
  ): Promise<AsyncIterable<Uint8Array>> {
    const { revision } = share;
    const changes =
      takesChanges && knownRevision !== ""
        ? await this.#sharing.changesSince(location, instanceId, knownRevision, share)
        : null;
    if (changes !== null) {
      const head = { revision, changedSince: knownRevision, removed: changes.removed };
      return this.#begun(location, head, changes.changed.map(idOf), format);
    }
    const ids = share.monitorIds?.map(idOf) ?? (await this.#monitors.assignedIds(location.id));
    return this.#begun(location, { revision, changedSince: "", removed: [] }, ids, format);
  }

  async #begun(
    location: LocationRow,
    head: Omit<AssignmentHead, "region">,
    ids: readonly MonitorId[],
    format: MessageFormat,
  ): Promise<AsyncIterable<Uint8Array>> {
    const read = (portion: readonly MonitorId[]): Promise<MonitorsResponse> =>
      this.#read(location.id, portion);
    const parts = this.#write(location, head, { ids, read, format });
    // What fails at its beginning is answered with its reason; what fails later can only break the answer off.
    const first = await parts.next();
    return first.done === true ? parts : joined([first.value], parts);
  }

  async *#write(
    { id: location, name: region }: LocationRow,
    head: Omit<AssignmentHead, "region">,
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
    yield writer.end({ region, ...head });
  }

  async #read(location: LocationId, ids: readonly MonitorId[]): Promise<MonitorsResponse> {
    const [rows, newestSlots] = await Promise.all([
      this.#monitors.among(ids),
      this.#store.results.newestSlots(location, ids),
    ]);
    const assigned = rows
      .toSorted((a, b) => a.id - b.id)
      .map(({ id, definition, updatedAt }) => ({
        id: String(id),
        definition,
        newestSlot: knownSince(updatedAt, newestSlots.get(id)),
      }));
    return assignedMonitors(assigned);
  }
}

/**
 * What was checked before a monitor was resumed or changed says nothing of how it is now. The agent that begins it then
 * checks it at once, as a new one: an hourly monitor that is resumed is not waited for until its next slot.
 */
const knownSince = (updatedAt: EpochMillis, newest: EpochMillis | undefined): EpochMillis | null =>
  newest === undefined || newest < updatedAt ? null : newest;

const idOf = (text: string): MonitorId => monitorId(Number(text));

type ChangesRequest = Pick<MonitorsRequest, "instanceId" | "knownRevision" | "takesChanges">;

interface Writing {
  readonly ids: readonly MonitorId[];
  readonly read: (portion: readonly MonitorId[]) => Promise<MonitorsResponse>;
  readonly format: MessageFormat;
}
