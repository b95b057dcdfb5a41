import { randomUUID } from "node:crypto";
import { failure } from "#check/failure";
import { systemClock } from "#base/clock";
import { epochMillis, type EpochMillis, millis } from "#base/units";
import type { ControlPlane } from "#transport/control-plane";
import { type Report, reportOf } from "#wire/report";
import { httpOutcome, resultWith } from "../../test/support/results.ts";
import { benchPlane } from "../bench-plane.ts";
import { batchSize } from "../stored-results.ts";

/** One of the locations of a group of monitors, and the one agent in it. */
export interface SentLocation {
  readonly token: string;
  readonly location: number;
  readonly monitors: readonly number[];
}

export interface SenderOptions extends SentLocation {
  /** Of the replicas; an agent stays with one until it does not answer. */
  readonly urls: readonly string[];
  /** Results of this location that come up in a second, whether or not the service takes them. */
  readonly perSecond: number;
  readonly begin: EpochMillis;
  readonly fails: (monitor: number, slot: EpochMillis) => boolean;
  readonly onFailing: (location: number, monitor: number, slot: EpochMillis) => void;
}

/** As often as an agent reports. */
const reportedEvery = 500;
/** What a service that could not store it said to keep is tried again after this. */
const heldTriedEvery = 1_000;

/**
 * Sends results as they come up, a batch at a time, and keeps each until it is acknowledged. Result N of a location is of
 * its monitors in turn, and has a slot of its own, so a number says all of it.
 */
export class Sender {
  readonly #options: SenderOptions;
  readonly #planes: readonly ControlPlane[];
  readonly #acknowledged = new Set<number>();
  readonly #held = new Set<number>();
  readonly #ended = new AbortController();
  #plane: number;
  #next = 0;
  #stopAt: number | null = null;
  #heldTriedAt = 0;
  /** Acknowledged as new although they were acknowledged before. */
  twice = 0;
  refusals = 0;

  constructor(options: SenderOptions, first: number) {
    this.#options = options;
    this.#plane = first;
    this.#planes = options.urls.map((url) => benchPlane(url, options.token));
  }

  get acknowledged(): ReadonlySet<number> {
    return this.#acknowledged;
  }

  /** Results that came up and were never sent: the service took less than it was offered. */
  get unsent(): number {
    return this.#due(this.#stopAt ?? systemClock.wall()) - this.#next;
  }

  monitorOf = (number: number): number =>
    this.#options.monitors[number % this.#options.monitors.length] ?? 0;

  slotOf = (number: number): EpochMillis =>
    epochMillis(this.#options.begin + Math.floor((number * 1_000) / this.#options.perSecond));

  /** Until `stop` was called, and all that was sent is acknowledged. */
  async run(): Promise<void> {
    while (this.#stopAt === null || this.#held.size > 0) {
      const began = systemClock.wall();
      await this.#send(this.#batch(began));
      if (this.#isBehind()) continue;
      await systemClock.sleep(millis(Math.max(0, reportedEvery - (systemClock.wall() - began))));
    }
  }

  stop(): void {
    this.#stopAt = systemClock.wall();
  }

  #due(at: number): number {
    const { begin, perSecond } = this.#options;
    return Math.floor(((at - begin) * perSecond) / 1_000);
  }

  #isBehind(): boolean {
    return this.#stopAt === null && this.#due(systemClock.wall()) - this.#next >= batchSize;
  }

  /** What is held comes first when it is time to try it, and all else behind. */
  #batch(now: EpochMillis): readonly number[] {
    const batch: number[] = [];
    if (now - this.#heldTriedAt >= heldTriedEvery) {
      this.#heldTriedAt = now;
      for (const number of this.#held) {
        if (batch.length >= batchSize) break;
        batch.push(number);
      }
    }
    if (this.#stopAt !== null) return batch;
    const until = Math.min(this.#due(now), this.#next + batchSize - batch.length);
    for (; this.#next < until; this.#next += 1) {
      batch.push(this.#next);
      this.#held.add(this.#next);
    }
    return batch;
  }

  async #send(numbers: readonly number[]): Promise<void> {
    if (numbers.length === 0) return;
    const reports = numbers.map((number) => this.#reportOf(number));
    const numberOf = new Map(reports.map(({ id }, index) => [id, numbers[index] ?? 0]));
    const plane = this.#planes[this.#plane % this.#planes.length];
    try {
      await plane?.report(
        reports,
        ({ id }, { outcome }) => this.#receive(numberOf.get(id) ?? 0, outcome),
        this.#ended.signal,
      );
    } catch {
      this.#plane += 1;
    }
    // Held by now are those without a receipt: what is tried next begins with others.
    if (numbers.every((number) => !this.#held.has(number))) this.#heldTriedAt = 0;
  }

  #receive(number: number, outcome: string): void {
    if (outcome !== "accepted" && outcome !== "duplicate") {
      this.refusals += 1;
      return;
    }
    if (outcome === "accepted" && this.#acknowledged.has(number)) this.twice += 1;
    this.#acknowledged.add(number);
    this.#held.delete(number);
    const { location, fails, onFailing } = this.#options;
    const [monitor, slot] = [this.monitorOf(number), this.slotOf(number)];
    if (fails(monitor, slot)) onFailing(location, monitor, slot);
  }

  #reportOf(number: number): Report {
    const [monitor, slot] = [this.monitorOf(number), this.slotOf(number)];
    const isDown = this.#options.fails(monitor, slot);
    return reportOf(
      resultWith({
        id: randomUUID(),
        monitorId: String(monitor),
        slot,
        startedAt: slot,
        uri: "https://shop.test/",
        status: isDown ? "error" : "success",
        failure: isDown ? refused : null,
        outcome: isDown ? null : good,
        latency: millis(20 + (number % 40)),
      }),
    );
  }
}

const refused = failure("connection_refused", "connect", "nothing listens at 10.0.0.1:443");
const good = httpOutcome({
  addresses: [
    {
      address: "10.0.0.1",
      port: 443,
      ended: "connected",
      elapsed: httpOutcome().total,
      measuredBy: "kernel",
    },
  ],
});
