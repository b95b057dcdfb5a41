import { thrownText } from "#base/text";
import type { Worker } from "node:worker_threads";
import { Board } from "#agent/prober/board";
import type { CheckerStatus, CheckListener } from "#agent/prober/checker";
import { decidedOf } from "#agent/prober/checks/decided-check";
import { brokenOffResult } from "#agent/prober/checks/run-check";
import { Editions } from "#agent/prober/editions";
import { startProbeThread } from "#agent/prober/probe-thread";
import type { ProbeThreadOptions } from "#agent/prober/prober";
import type { SocketsInUse } from "#probes/raw/open-sockets";
import type { SecretTable } from "#agent/secrets/secret-table";
import type { Plan } from "#agent/prober/schedule/reconcile";
import type { Standing } from "#agent/prober/schedule/standing";
import type { LaneReply, LaneRequest, SentResult } from "#agent/prober/lane-messages";
import { processClock } from "#base/clock";
import { failure, type Failure } from "#check/failure";
import { ownFaults } from "#check/own-faults";
import type { LatencyEnd } from "#check/outcome";
import * as limits from "#limits/prober-limits";
import type { Logger } from "#base/log";
import type { Monitor } from "#check/monitor";
import type { TargetRules } from "#network/target-rules";
import { type EpochMillis, millis, type Nanos, nanos, nanosToMillis } from "#base/units";

export interface LaneOptions {
  readonly probes: ProbeThreadOptions;
  readonly concurrency: number;
  readonly latencyEnd: LatencyEnd;
  /** The location's secrets as they are at the start. */
  readonly secrets: SecretTable | null;
  readonly log: Logger;
}

type State = "waiting" | "taking" | "left" | "aborted" | "closing";

/**
 * One thread that owns the slots of its monitors. A thread that dies is replaced: what it had under way becomes the
 * agent's own failures, and its successor continues where it was.
 */
export class CheckLane {
  #options: LaneOptions;
  #board = new Board();
  readonly #ready = Promise.withResolvers<void>();
  readonly #monitors = new Map<string, Monitor>();
  readonly #editions = new Editions(processClock);
  /** Questions under way, by what settles them: with an answer, or with null if there will be none. */
  readonly #pending = new Map<number, (answer: LaneReply | null) => void>();
  #listener: CheckListener = { decided: () => {}, missed: () => {} };
  /** Null between the death of a thread and the start of the next. */
  #worker: Worker | null;
  /** When the thread died for which none has taken over yet. */
  #downSince: Nanos | null = null;
  #state: State = "waiting";
  #nextId = 1;

  constructor(options: LaneOptions) {
    this.#options = options;
    this.#worker = this.#start();
  }

  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  get size(): number {
    return this.#monitors.size;
  }

  get status(): CheckerStatus {
    const now = processClock.monotonic();
    const status = this.#board.status(now);
    const down = this.#downSince === null ? 0 : nanosToMillis(nanos(now - this.#downSince));
    return { ...status, stuckFor: millis(Math.max(status.stuckFor, down)) };
  }

  attend(listener: CheckListener): void {
    this.#listener = listener;
  }

  apply(plan: Plan, newest: ReadonlyMap<string, EpochMillis>): void {
    const { start, change, stop } = plan;
    for (const id of stop) this.#monitors.delete(id);
    for (const monitor of [...start, ...change]) this.#monitors.set(monitor.id, monitor);
    if (start.length + change.length + stop.length === 0) return;
    this.#board.apply(plan);
    this.#editions.retire(stop);
    const ours = start.flatMap(({ id }) => {
      const slot = newest.get(id);
      return slot === undefined ? [] : [[id, slot] as const];
    });
    this.#ask({
      ask: "apply",
      start: this.#editions.issue(start),
      change: this.#editions.issue(change),
      stop,
      newest: new Map(ours),
      standings: new Map(),
    });
  }

  free(monitorId: string, slot: EpochMillis): void {
    this.#ask({ ask: "free", monitorId, slot });
  }

  /** Only this thread counts these: each cell of the board has one writer. */
  hide(monitorId: string, slot: EpochMillis): void {
    this.#board.missed("vantage", 1);
    this.#listener.missed({ monitorId, slot, count: 1, reason: "vantage" });
  }

  async checkNow(monitor: Monitor, signal: AbortSignal): Promise<Uint8Array | null> {
    if (this.#worker === null || signal.aborted) return null;
    const id = this.#newId();
    const cancel = (): void => this.#ask({ ask: "cancel_check", id });
    signal.addEventListener("abort", cancel, { once: true });
    const answer = await this.#question(id, { ask: "check_now", id, monitor });
    signal.removeEventListener("abort", cancel);
    return answer?.answer === "checked" ? answer.payload : null;
  }

  /* A thread that takes over later has both from its start. */
  useSecrets(table: SecretTable | null): void {
    this.#options = { ...this.#options, secrets: table };
    this.#ask({ ask: "secrets", table });
  }
  useTargets(rules: TargetRules): void {
    this.#options = { ...this.#options, probes: { ...this.#options.probes, targetRules: rules } };
    this.#ask({ ask: "targets", rules });
  }

  takeSlots(): void {
    this.#state = "taking";
    this.#ask({ ask: "take_slots" });
  }

  leaveSlots(): void {
    this.#state = "left";
    this.#ask({ ask: "leave_slots" });
  }

  async settled(): Promise<void> {
    if (this.#worker === null) return;
    const id = this.#newId();
    await this.#question(id, { ask: "settle", id });
  }

  /** A thread that does not let its checks go is ended itself: nothing waits forever. */
  abort(): void {
    this.#state = "aborted";
    this.#ask({ ask: "abort" });
    const worker = this.#worker;
    const over = new AbortController();
    void processClock.sleep(limits.checksAbortWithin, over.signal).then(() => {
      if (!over.signal.aborted) void worker?.terminate();
    });
    void this.settled().then(() => over.abort());
  }

  async close(): Promise<void> {
    this.#state = "closing";
    await this.#worker?.terminate();
    this.#settleAll();
  }

  nextOf(monitorId: string): EpochMillis | null {
    return this.#board.standing(monitorId)?.due ?? null;
  }

  isChecking(monitorId: string): boolean {
    return (this.#board.standing(monitorId)?.checking ?? null) !== null;
  }

  #newId(): number {
    this.#nextId += 1;
    return this.#nextId;
  }

  #ask(ask: LaneRequest): void {
    this.#worker?.postMessage(ask);
  }

  #question(id: number, ask: LaneRequest): Promise<LaneReply | null> {
    return new Promise((resolve) => {
      this.#pending.set(id, resolve);
      this.#ask(ask);
    });
  }

  #start(): Worker {
    const { probes, concurrency, latencyEnd, secrets } = this.#options;
    const checks = { concurrency, latencyEnd, board: this.#board.memory, secrets };
    const worker = startProbeThread({ ...probes, checks });
    let cause: unknown = null;
    worker.on("message", (answer: LaneReply) => this.#onAnswer(answer));
    worker.on("error", (error) => (cause = error));
    // What it sent before its end has arrived by then.
    worker.on("exit", (code) =>
      this.#onDeath(worker, cause ?? new Error(`exited with code ${code}`)),
    );
    return worker;
  }

  #onAnswer(answer: LaneReply): void {
    switch (answer.answer) {
      case "ready":
        this.#downSince = null;
        this.#logSockets(answer.sockets);
        return this.#ready.resolve();
      case "batch":
        for (const sent of answer.decided) this.#onResult(sent);
        for (const missed of answer.missed) this.#listener.missed(missed);
        return;
      case "checked":
      case "settled":
        this.#pending.get(answer.id)?.(answer);
        this.#pending.delete(answer.id);
        return;
      case "fault":
        return this.#options.log.error(answer.message, answer.fields);
    }
  }

  /** Once a thread: what stands behind each figure that it reports. */
  #logSockets(sockets: SocketsInUse): void {
    const { log, probes } = this.#options;
    if (sockets.kind === "raw") {
      const { noOwnTls } = sockets;
      const more = noOwnTls === null ? {} : { tls: `Node.js speaks it: ${noOwnTls}` };
      return log.info("probes use raw sockets: the kernel timestamps every packet", more);
    }
    if (sockets.why === null) return;
    const level = probes.rawSockets === "on" ? "warn" : "info";
    log[level]("probes use Node.js's sockets, because raw sockets cannot be used here", {
      reason: sockets.why,
    });
  }

  #onResult({ edition, result: sent, payload, lateness, decidedAt }: SentResult): void {
    const { id, slot } = sent;
    const monitor = this.#editions.monitor(edition, sent.monitorId);
    if (monitor === null)
      return this.#listener.missed({
        monitorId: sent.monitorId,
        slot,
        count: 1,
        reason: "drained",
      });
    // What keeps these texts of a monitor keeps the monitor's own, and not a copy that has crossed.
    const monitorId = monitor.id;
    const result = { ...sent, monitorId, uri: sent.uri === monitor.uri ? monitor.uri : sent.uri };
    const report = { id, monitorId, slot, payload };
    const age = nanosToMillis(nanos(processClock.monotonic() - decidedAt));
    this.#listener.decided({ result, report, monitor, lateness, age });
  }

  /** A dead thread is our fault, never a target's: what it had under way says so, and a new one takes over. */
  #onDeath(worker: Worker, error: unknown): void {
    if (this.#state === "closing" || worker !== this.#worker) return;
    this.#worker = null;
    this.#downSince ??= processClock.monotonic();
    const reason = thrownText(error);
    this.#ready.reject(new Error(`The probe thread could not start: ${reason}`));
    const { log } = this.#options;
    log.error("a probe thread died and is replaced", { "error.message": reason });
    this.#endUnderWay(failure("agent_error", "agent", `${ownFaults.thread}: ${reason}`));
    this.#settleAll();
    const standings = this.#board.standings();
    void processClock.sleep(limits.probeThreadRestartPause).then(() => this.#replace(standings));
  }

  #endUnderWay(why: Failure): void {
    for (const { monitorId, slot } of this.#board.underWay()) {
      const monitor = this.#monitors.get(monitorId);
      if (monitor === undefined || this.#state === "aborted")
        this.#listener.missed({ monitorId, slot, count: 1, reason: "drained" });
      else {
        const result = brokenOffResult(monitor, slot, why, processClock);
        this.#listener.decided(decidedOf(result, { monitor, due: slot }));
      }
    }
  }

  /** The new thread continues where the old one stood; slots of the time between are missed, and counted. */
  #replace(standings: ReadonlyMap<string, Standing>): void {
    if (this.#state !== "waiting" && this.#state !== "taking") return;
    const monitors = [...this.#monitors.values()];
    this.#board = this.#board.successor(monitors);
    this.#worker = this.#start();
    const start = this.#editions.issue(monitors);
    const kept = new Map([...standings].filter(([id]) => this.#monitors.has(id)));
    this.#ask({ ask: "apply", start, change: [], stop: [], newest: new Map(), standings: kept });
    if (this.#state === "taking") this.#ask({ ask: "take_slots" });
  }

  #settleAll(): void {
    for (const settle of this.#pending.values()) settle(null);
    this.#pending.clear();
  }
}
