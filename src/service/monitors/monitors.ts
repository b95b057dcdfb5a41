import type { MonitorChange, MonitorPlaces } from "#service/store/monitor-change";
import type { Clock } from "#base/clock";
import type { DefinitionOf, MonitorDefinition } from "#check/definition";
import type { Kind } from "#check/monitor";
import * as limits from "#limits/service-limits";
import type { Mistake } from "#check/findings";
import { because, noMonitor, Refusal, refuseViolations } from "#service/edge/call-refusal";
import { type MonitorReader, refuseDependencies } from "#service/monitors/dependencies";
import { integerOf, type LocationId, type MonitorId, monitorId } from "#service/store/ids";
import type { MonitorRow, NewMonitor } from "#service/store/state-store";
import type { Store } from "#service/store/store";
import { monitorsNamedMax } from "#limits/store-limits";
import { signatureFault } from "#signing/monitor-signature";
import type { Door } from "#check/findings";
import { violationsOf } from "#check/read-monitor";

/** The monitors: what they are, and what is assigned where. */
export class Monitors {
  readonly #monitors: Store["state"]["monitors"];
  readonly #clock: Clock;

  constructor({ state }: Store, clock: Clock) {
    this.#monitors = state.monitors;
    this.#clock = clock;
  }

  /** The id that a text says: today's, or the one that the monitor had before ids were integers. */
  async idOf(text: string): Promise<MonitorId | null> {
    const integer = integerOf(text);
    return integer === null ? this.#monitors.idOfUid(text) : monitorId(integer);
  }

  /** With its places, if they are said: it is made with them or not at all. */
  async create(
    definition: MonitorDefinition,
    door: Door,
    places?: MonitorPlaces,
  ): Promise<{ readonly id: string }> {
    const placed = places === undefined ? { definition } : { definition, places };
    const [id = ""] = await this.createEach([placed], door);
    return { id: String(id) };
  }

  /** All of them or none; gives them in the same order. */
  async createEach(all: readonly PlacedMonitor[], door: Door): Promise<readonly MonitorId[]> {
    for (const { definition } of all) {
      refuseViolations(violationsOf(definition, door).map(inContract));
      await refuseDependencies(null, definition, this.#read);
    }
    const { serviceMonitorsMax: most } = limits;
    if (await this.#monitors.isFull(most + 1 - all.length))
      throw new Refusal(
        "resource_exhausted",
        all.length === 1
          ? `there are ${most} monitors already`
          : `there would be more than ${most} monitors`,
      );
    return this.#monitors.createEach(
      all.map(({ definition, ...placed }) => ({ made: this.#made(definition), ...placed })),
    );
  }

  async update(
    id: string,
    definition: MonitorDefinition,
    door: Door,
    places?: MonitorPlaces,
  ): Promise<void> {
    refuseViolations(violationsOf(definition, door).map(inContract));
    const before = await this.get(id);
    await refuseDependencies(before, definition, this.#read);
    const { id: known, owner } = before;
    const changed = { ...this.#made(definition), owner };
    if (!(await this.#monitors.update(known, changed, places))) throw noMonitor(id);
  }

  async delete(id: string): Promise<void> {
    const known = await this.idOf(id);
    if (known === null || !(await this.#monitors.delete(known))) throw noMonitor(id);
  }

  /** Does the same with each of them; gives those that are there. `made` is the change that this one undoes. */
  changeEach(
    ids: readonly MonitorId[],
    change: MonitorChange,
    made?: MonitorChange,
  ): Promise<readonly MonitorId[]> {
    return this.#monitors.changeEach(ids, change, this.#clock.wall(), made);
  }

  async get(id: string): Promise<MonitorRow> {
    const known = await this.idOf(id);
    const row = known === null ? null : await this.find(known);
    if (row === null) throw noMonitor(id);
    return row;
  }

  /** Null when it was deleted meanwhile. */
  find(id: MonitorId): Promise<MonitorRow | null> {
    return this.#monitors.get(id);
  }

  /** Those of them that are there still, however many. */
  async among(ids: readonly MonitorId[]): Promise<readonly MonitorRow[]> {
    const portions = Array.from({ length: Math.ceil(ids.length / monitorsNamedMax) }, (_, n) =>
      this.#monitors.among(ids.slice(n * monitorsNamedMax, (n + 1) * monitorsNamedMax)),
    );
    return (await Promise.all(portions)).flat();
  }

  /** A monitor of this kind; another kind is refused. */
  async ofKind<K extends Kind>(id: string, kind: K): Promise<RowOf<K>> {
    const row = await this.get(id);
    const { definition } = row;
    if (isOfKind(definition, kind)) return { ...row, definition };
    throw new Refusal(
      "invalid_argument",
      `the monitor is of the kind ${definition.kind}, not ${kind}`,
      because("MONITOR_TYPE_MISMATCH", {
        "monitor-id": id,
        "expected-type": kind,
        "actual-type": definition.kind,
      }),
    );
  }

  list(limit: number, offset: number): Promise<readonly MonitorRow[]> {
    return this.#monitors.list({ limit, offset });
  }

  /** Those behind an id, in the order of ids. */
  listAfter(id: number, limit: number): Promise<readonly MonitorRow[]> {
    return this.#monitors.list({ after: id, limit, offset: 0 });
  }

  count(): Promise<number> {
    return this.#monitors.count();
  }

  /** The active monitors of a location, in the order of ids: what its agents run. Others are answered in between. */
  async assignedTo(location: LocationId): Promise<readonly MonitorRow[]> {
    const ids = await this.assignedIds(location);
    const all: MonitorRow[] = [];
    for (let first = 0; first < ids.length; first += limits.assignedReadAtOnce)
      all.push(...(await this.among(ids.slice(first, first + limits.assignedReadAtOnce))));
    return all.toSorted((a, b) => a.id - b.id);
  }

  /** Their ids alone, in the same order. */
  assignedIds(location: LocationId): Promise<readonly MonitorId[]> {
    return this.#monitors.activeIds(location);
  }

  readonly #read: MonitorReader = (ids) => this.among(ids);

  /** Without a signature that is not of it any more: its agents would refuse that. */
  #made(given: MonitorDefinition): NewMonitor {
    const definition = signatureFault(given) === null ? given : { ...given, signature: "" };
    return { definition, owner: "", labels: definition.labels, at: this.#clock.wall() };
  }
}

/** A new monitor, with its places if they are said. */
interface PlacedMonitor {
  readonly definition: MonitorDefinition;
  readonly places?: MonitorPlaces;
}

interface RowOf<K extends Kind> extends MonitorRow {
  readonly definition: DefinitionOf<K>;
}

const isOfKind = <K extends Kind>(
  definition: MonitorDefinition,
  kind: K,
): definition is DefinitionOf<K> => definition.kind === kind;

/** Files call what a monitor exports in another way than the contract. */
const inContract = ({ field, message }: Mistake): Mistake => ({
  field: field.replace(/^otlp_/, "open_telemetry."),
  message,
});
