import { setImmediate as turnOfLoop } from "node:timers/promises";
import { periodicities } from "#check/definition";
import { toBinary } from "@bufbuild/protobuf";
import {
  type BatchResult,
  BatchResultSchema,
} from "#contract/private_location/v1/private_location_pb";
import { answersCutAtOnce } from "#limits/answer-limits";
import * as limits from "#limits/service-limits";
import { because, Refusal, shortId } from "#service/edge/call-refusal";
import type { IncomingGap, IncomingResult } from "#service/agents/incoming";
import { isKeptOtherwise, keptResult } from "#service/agents/kept-result";
import type { Monitors } from "#service/monitors/monitors";
import { OwnSecrets, unknownSecrets } from "#service/monitors/own-secrets";
import type { SteadyClock } from "#base/steady-clock";
import type { LocationId, MonitorId } from "#service/store/ids";
import type { NewResult, Receipt, Retention } from "#service/store/result-store";
import type { Store } from "#service/store/store";
import { epochMillis, type EpochMillis, type Millis, millis } from "#base/units";

/** Results as they come in, and how long they stay. */
export class Results implements Disposable {
  readonly #store: Store;
  readonly #monitors: Monitors;
  readonly #clock: SteadyClock;
  /** What is to be known of a monitor; asked for again whenever monitors have changed. */
  #facts = new Map<MonitorId, MonitorFacts>();
  readonly #hearing: Disposable;

  constructor(store: Store, monitors: Monitors, clock: SteadyClock) {
    this.#store = store;
    this.#monitors = monitors;
    this.#clock = clock;
    this.#hearing = store.onChange((change) => {
      if (change === "assignments") this.#facts = new Map();
    });
  }

  /** Stores what a location saw; a receipt each, in order. All of it is durable when this resolves. */
  async store(
    location: LocationId,
    incoming: readonly IncomingResult[],
  ): Promise<readonly Receipt[]> {
    const ids = await this.#idsOf(incoming);
    const facts = await this.#factsOf([...ids.values()]);
    const known: (NewResult | null)[] = [];
    let cut = 0;
    for (const { monitorId, report, ...result } of incoming) {
      const monitor = ids.get(monitorId);
      // The store says itself if there is no such monitor.
      const own = monitor === undefined ? undefined : facts.get(monitor);
      const { period, secrets } = own ?? unknownMonitor;
      const detail = keptDetail(report, result.detail, secrets);
      known.push(monitor === undefined ? null : { ...result, detail, monitor, period });
      if (detail !== result.detail && (cut += 1) % answersCutAtOnce === 0) await turnOfLoop();
    }
    const results = known.filter((one) => one !== null);
    const batch = { location, storedAt: this.#clock.wall(), results };
    const receipts = results.length === 0 ? [] : await this.#store.results.append(batch);
    const inOrder = receipts.values();
    return known.map((one) => (one === null ? unassigned : (inOrder.next().value ?? unassigned)));
  }

  /** Notes slots of which a location learned nothing. */
  async miss(location: LocationId, incoming: readonly IncomingGap[]): Promise<void> {
    if (incoming.length === 0) return;
    const ids = await this.#idsOf(incoming);
    const facts = await this.#factsOf([...ids.values()]);
    const missed = incoming.flatMap(({ monitorId, slot, excuse }) => {
      const monitor = ids.get(monitorId);
      if (monitor === undefined) return [];
      return [{ monitor, slot, excuse, period: facts.get(monitor)?.period ?? millis(0) }];
    });
    await this.#store.results.miss({ location, storedAt: this.#clock.wall(), missed });
  }

  /** Forgets some of what is too old or too much; true when there may be more. */
  forgetSome(): Promise<boolean> {
    const before = (kept: Millis): EpochMillis => epochMillis(this.#clock.withoutSteps - kept);
    const retention: Retention = {
      details: before(limits.detailsKeptFor),
      results: before(limits.resultsKeptFor),
      hours: before(limits.hoursKeptFor),
      days: before(limits.daysKeptFor),
    };
    return this.#store.results.forget(retention);
  }

  /** Packs some of what is older than this; true when there may be more. */
  packSome(age: Millis): Promise<boolean> {
    return this.#store.results.pack(epochMillis(this.#clock.withoutSteps - age));
  }

  [Symbol.dispose](): void {
    this.#hearing[Symbol.dispose]();
  }

  /** Each text once, however many results name it. */
  async #idsOf(
    incoming: readonly { readonly monitorId: string }[],
  ): Promise<ReadonlyMap<string, MonitorId>> {
    const texts = [...new Set(incoming.map(({ monitorId }) => monitorId))];
    const ids = await Promise.all(texts.map((text) => this.#monitors.idOf(text)));
    return new Map(
      texts.flatMap((text, index) => {
        const id = ids[index] ?? null;
        return id === null ? [] : [[text, id] as const];
      }),
    );
  }

  /** What is not known yet is asked for together. */
  async #factsOf(ids: readonly MonitorId[]): Promise<ReadonlyMap<MonitorId, MonitorFacts>> {
    // Where monitors change meanwhile, what was asked for is used once and not kept.
    const facts = this.#facts;
    const missing = ids.filter((id) => !facts.has(id));
    if (missing.length === 0) return facts;
    const asked = new Map(facts);
    for (const { id, definition } of await this.#monitors.among(missing)) {
      const period = periodicities[definition.periodicity] ?? millis(0);
      const found = { period, secrets: new OwnSecrets(definition) };
      for (const known of [facts, asked]) known.set(id, found);
    }
    return asked;
  }
}

interface MonitorFacts {
  /** What one result of it stands for. */
  readonly period: Millis;
  readonly secrets: OwnSecrets;
}

/** Of a monitor that was deleted, or whose definition cannot be read now. */
const unknownMonitor: MonitorFacts = { period: millis(0), secrets: unknownSecrets };

/** The detail that is stored: as it came, unless it holds an answer or a secret. */
function keptDetail(
  report: BatchResult,
  detail: NewResult["detail"],
  secrets: OwnSecrets,
): NewResult["detail"] {
  if (!isKeptOtherwise(report, secrets)) return detail;
  const payload = toBinary(BatchResultSchema, keptResult(report, secrets));
  return { message: secrets.cut(detail.message, false), payload };
}

const unassigned: Receipt = { kind: "unassigned" };

/** Its agent keeps it, and sends it again. */
export const notNow = (monitorId: string): Refusal =>
  new Refusal(
    "unavailable",
    `the database server with the results of monitor ${shortId(monitorId)} cannot be reached`,
    { ...because("unavailable"), "retry-after": "2" },
  );

/** The existing service answers 500 for a monitor that it does not know; 404 says that asking again is no use. */
export const notAssigned = (monitorId: string): Refusal =>
  new Refusal("not_found", `monitor ${shortId(monitorId)} is not assigned to this location`);
