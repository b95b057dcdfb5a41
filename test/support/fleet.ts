import { Agent } from "#agent/agent";
import type { AgentEnd } from "#agent/stop";
import { connectControlPlane } from "#transport/connect-control-plane";
import type { ControlPlane } from "#transport/control-plane";
import { memorySpool } from "#agent/spool/memory-spool";
import { hours, mebibytes, millis } from "#base/units";
import type { Assignment } from "#wire/read-assignment";
import type { FakeClock } from "./fake-clock.ts";
import { memoryLog, passed, TwinProber, unavailable } from "./twins.ts";
import { wayWith } from "./service-way.ts";
import { checkerWith } from "./checking.ts";

/** One agent of a fleet: real in all but its probes, whose targets always answer. */
export interface Member {
  readonly agent: Agent;
  readonly ended: Promise<AgentEnd>;
  /** The monitors of the last assignment that it took. */
  readonly runs: readonly string[];
  /** Cuts its way to the service, or mends it. */
  cut(cut: boolean): void;
  /** Ends it without a word. */
  kill(): void;
  /** Ends it as SIGTERM does. */
  drain(): void;
}

function assignedBy(
  { monitors, changes }: Assignment,
  before: readonly string[],
): readonly string[] {
  const own = monitors.map(({ id }) => id);
  if (changes === null) return own;
  const touched = new Set([...own, ...changes.removed]);
  return [...before.filter((id) => !touched.has(id)), ...own];
}

/** An agent's way to the service, and what came over it. */
interface Way {
  cut: boolean;
  assigned: readonly string[];
}

/** Small against every pause of an agent: an answer is late by no more than this. */
const stepMillis = 250;

/** Real agents of one location against a real service, over sockets, on one clock that only the test moves. */
export class Fleet {
  readonly #clock: FakeClock;
  readonly #service: { readonly url: string; readonly token: string };
  readonly #calls = new Set<Promise<unknown>>();

  constructor(clock: FakeClock, service: { readonly url: string; readonly token: string }) {
    this.#clock = clock;
    this.#service = service;
  }

  start(id: string): Member {
    const clock = this.#clock;
    const way: Way = { cut: false, assigned: [] };
    const prober = new TwinProber();
    prober.script = ({ kind }) => ({ ...passed(kind), startedAt: clock.wall() });
    const agent = new Agent({
      watch: null,
      checker: checkerWith(prober, clock, memoryLog()),
      controlPlane: this.#planeOf(id, way),
      spool: memorySpool(clock, { bytesMax: mebibytes(64), ageMax: hours(24) }),
      clock,
      log: memoryLog(),
      serviceUrl: this.#service.url,
      pollInterval: millis(60_000),
      heartbeatInterval: millis(30_000),
      drainTimeout: millis(30_000),
    });
    const [drain, abandon] = [new AbortController(), new AbortController()];
    return {
      agent,
      ended: agent.run(drain.signal, abandon.signal),
      get runs() {
        return way.assigned;
      },
      cut: (cut) => {
        way.cut = cut;
      },
      kill: () => {
        way.cut = true;
        abandon.abort();
        drain.abort();
      },
      drain: () => drain.abort(),
    };
  }

  /** Moves the clock on in small steps; the calls of one step end before the next. */
  async run(seconds: number): Promise<void> {
    for (let passedBy = 0; passedBy < seconds * 1_000; passedBy += stepMillis) {
      await this.#clock.advance(stepMillis);
      while (this.#calls.size > 0) {
        await Promise.allSettled(this.#calls);
        await this.#clock.advance(0);
      }
    }
  }

  #planeOf(id: string, way: Way): ControlPlane {
    const { url, token } = this.#service;
    const plane = connectControlPlane({
      baseUrl: url,
      token: () => token,
      tokenHeader: "x-service-token",
      instance: { id, version: "1", hostname: id, node: "", labels: {}, placement: "share" },
      way: wayWith(),
      clock: this.#clock,
    });
    const over = async <T>(call: () => Promise<T>): Promise<T> => {
      if (way.cut) throw unavailable;
      const calling = call();
      this.#calls.add(calling);
      return calling.finally(() => this.#calls.delete(calling));
    };
    return {
      pull: async (known, signal) => {
        const pull = await over(() => plane.pull(known, signal));
        if (!pull.unchanged) way.assigned = assignedBy(pull, way.assigned);
        return pull;
      },
      report: (reports, told, signal) => over(() => plane.report(reports, told, signal)),
      reportsSingly: false,
      heartbeat: (beat, signal) => over(() => plane.heartbeat(beat, signal)),
    };
  }
}
