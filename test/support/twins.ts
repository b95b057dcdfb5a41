import { create } from "@bufbuild/protobuf";
import { unseen } from "#check/kinds/unseen";
import {
  type BatchResult,
  MonitorsResponseSchema,
} from "#contract/private_location/v1/private_location_pb";
import type { EndSignal } from "#base/ending";
import type { Prober } from "#agent/prober/prober";
import { failure } from "#check/failure";
import type { LogFields, Logger } from "#base/log";
import type { Monitor, RunnableMonitor, Target } from "#check/monitor";
import type { Outcome } from "#check/outcome";
import { messageOf, type Report } from "#wire/report";
import {
  type Beat,
  type ControlPlane,
  type HeartbeatAnswer,
  type Pull,
  type Receipt,
  ServiceError,
  type OnReceipt,
} from "#transport/control-plane";
import type { AskedCheck, CheckNowAnswer, Watch, WatchListener } from "#transport/watch";
import type { Assignment } from "#wire/read-assignment";
import { epochMillis, millis, nanos } from "#base/units";

/** In-memory twins of the agent's ports: they do what a test tells them, and remember what was asked of them. */

export class TwinControlPlane implements ControlPlane {
  monitors: readonly Monitor[] = [];
  revision: string | null = "r1";
  newestSlots: Assignment["newestSlots"] = new Map();
  remarks: Assignment["remarks"] = [];
  /** Set, every call fails with it. */
  fault: ServiceError | null = null;
  receipt: (report: Report) => Receipt = () => ({ outcome: "accepted" });
  heartbeatAnswer: HeartbeatAnswer | null = null;
  readonly pulls: (string | null)[] = [];
  readonly reported: Report[] = [];
  readonly beats: Beat[] = [];

  /** What the reports say. */
  get messages(): readonly BatchResult[] {
    return this.reported.flatMap(({ payload }) => messageOf(payload) ?? []);
  }

  async pull(known: Parameters<ControlPlane["pull"]>[0]): Promise<Pull> {
    const knownRevision = known?.revision ?? null;
    this.pulls.push(knownRevision);
    if (this.fault !== null) throw this.fault;
    if (knownRevision !== null && knownRevision === this.revision) return { unchanged: true };
    return {
      unchanged: false,
      monitors: this.monitors,
      revision: this.revision,
      region: "office",
      newestSlots: this.newestSlots,
      remarks: this.remarks,
      message: create(MonitorsResponseSchema),
      changes: null,
    };
  }

  reportsSingly = false;

  async report(results: readonly Report[], onReceipt: OnReceipt): Promise<void> {
    if (this.fault !== null) throw this.fault;
    for (const result of results) {
      const receipt = this.receipt(result);
      if (receipt.outcome === "accepted") this.reported.push(result);
      onReceipt(result, receipt);
    }
  }

  async heartbeat(beat: Beat): Promise<HeartbeatAnswer | null> {
    this.beats.push(beat);
    if (this.fault !== null) throw this.fault;
    return this.heartbeatAnswer;
  }
}

/** Answers each probe as its script says; by default everything connects in 5 ms. */
export class TwinProber implements Prober {
  readonly probed: Target[] = [];
  script: (target: Target, signal: EndSignal) => Promise<Outcome> | Outcome = (target) =>
    passed(target.kind);

  async probe(target: Target, _timeout: number, signal: EndSignal): Promise<Outcome> {
    this.probed.push(target);
    return this.script(target, signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}

export function passed(kind: Target["kind"] = "tcp"): Outcome {
  const outcome = unseen(kind, epochMillis(0), failure("agent_error", "agent", "unused"));
  const seen = { ...outcome, failure: null, total: nanos(5e6) };
  return seen;
}

export const refused = (kind: Target["kind"] = "tcp"): Outcome =>
  unseen(
    kind,
    epochMillis(0),
    failure("connection_refused", "connect", "connection refused (a:1)"),
  );

/** An outcome that comes only when the probe is cancelled. */
export const hanging = (kind: Target["kind"], signal: EndSignal): Promise<Outcome> =>
  new Promise((resolve) => {
    const end = (): void =>
      resolve(unseen(kind, epochMillis(0), failure("cancelled", "agent", "given up")));
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });

export function monitorWith(more: Partial<RunnableMonitor> = {}): RunnableMonitor {
  return {
    id: "m",
    name: null,
    kind: "tcp",
    uri: "a.test:1",
    periodicity: millis(30_000),
    target: { kind: "tcp", host: "a.test", port: 1 },
    assertions: [],
    timeout: millis(1_000),
    degradedAt: null,
    retry: 0,
    otel: null,
    rejection: null,
    ...more,
  };
}

export interface Said {
  readonly level: string;
  readonly message: string;
  readonly fields: LogFields;
}

/** A logger that remembers. */
export function memoryLog(): Logger & { readonly said: readonly Said[] } {
  const said: Said[] = [];
  const at =
    (level: string) =>
    (message: string, fields: LogFields = {}): void =>
      void said.push({ level, message, fields });
  return { said, debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

export const unavailable: ServiceError = new ServiceError("unavailable", "the service is away");
export const unauthenticated: ServiceError = new ServiceError(
  "unauthenticated",
  "the token is unknown",
);
export const internal: ServiceError = new ServiceError("internal", "the service failed");

/** A push channel that a test holds the other end of. */
export class TwinWatch implements Watch {
  /** Connections asked for so far. */
  attempts = 0;
  /** What becomes of each connection, until it is given up; by default it is held. */
  script: (listener: WatchListener) => ServiceError | null = (listener) => {
    listener.opened();
    return null;
  };
  listener: WatchListener | null = null;
  #end: (error: ServiceError) => void = () => {};

  attend(listener: WatchListener, signal: AbortSignal): Promise<ServiceError> {
    this.attempts += 1;
    const left = new ServiceError("cancelled", "the agent disconnected");
    return new Promise((resolve) => {
      this.#end = (error) => {
        this.listener = null;
        resolve(error);
      };
      if (signal.aborted) return resolve(left);
      signal.addEventListener("abort", () => this.#end(left), { once: true });
      this.listener = listener;
      const ended = this.script(listener);
      if (ended !== null) this.#end(ended);
    });
  }

  /** Loses the connection that is held. */
  lose(error: ServiceError = unavailable): void {
    this.#end(error);
  }

  /** Asks for a check; settles with the answer. */
  ask(monitorId: string): Promise<CheckNowAnswer> {
    return this.asking({ of: "assigned", monitorId });
  }

  /** Asks for any check. */
  asking(asked: AskedCheck): Promise<CheckNowAnswer> {
    return new Promise((answer) => this.listener?.pushed({ kind: "check_now", asked, answer }));
  }
}
