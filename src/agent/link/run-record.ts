import { createHash } from "node:crypto";
import { recalledSlots } from "#agent/link/recalled-slots";
import type { Checker } from "#agent/prober/checker";
import type { MissedSlots } from "#agent/prober/schedule/missed-slots";
import type { Plan } from "#agent/prober/schedule/reconcile";
import type { AssignmentMemory } from "#agent/state/assignment-file";
import type { RunSpan } from "#agent/state/kept-runs";
import type { Clock } from "#base/clock";
import type { Logger } from "#base/log";
import { thrownText } from "#base/text";
import { after, between, epochMillis, type EpochMillis } from "#base/units";
import type { Monitor } from "#check/monitor";
import * as agentLimits from "#limits/agent-limits";
import * as limits from "#limits/prober-limits";
import type { Assignment } from "#wire/read-assignment";
import type { Report } from "#wire/report";

interface RunRecordTools {
  readonly memory: Pick<AssignmentMemory, "ran" | "saveRan">;
  readonly checker: Pick<Checker, "monitors">;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Since when the agent runs which monitor, and what its end left unchecked: the next start continues from there. */
export class RunRecord {
  readonly #tools: RunRecordTools;
  /** When this run began; null before it runs anything. */
  #from: EpochMillis | null = null;
  /** When it took its last slot; null while it takes them. */
  #to: EpochMillis | null = null;
  #earlier: readonly RunSpan[] = [];
  #since = new Map<string, EpochMillis>();
  #checked = new Map<string, EpochMillis>();
  readonly #missed = new Map<string, EpochMillis>();

  constructor(tools: RunRecordTools) {
    this.#tools = tools;
  }

  /** The newest slots of an assignment that was read from disk. What was kept of other monitors says nothing of these. */
  recalled(assignment: Assignment): ReadonlyMap<string, EpochMillis> {
    const { ran } = this.#tools.memory;
    const runs = ran?.digest === digestOf(assignment.monitors) ? ran : null;
    this.#earlier = runs?.spans ?? [];
    this.#since = new Map(runs?.since);
    this.#checked = new Map(runs?.checked);
    this.#from = this.#soon;
    return recalledSlots(assignment, runs);
  }

  /** A slot has its result. Most are within what is kept of this run as a whole. */
  checked({ monitorId, slot }: Pick<Report, "monitorId" | "slot">): void {
    if (slot >= Math.max(this.#from ?? -Infinity, this.#since.get(monitorId) ?? -Infinity)) return;
    this.#checked.delete(monitorId);
    this.#checked.set(monitorId, slot);
    if (this.#checked.size <= agentLimits.runExceptionsMax) return;
    for (const oldest of this.#checked.keys()) return void this.#checked.delete(oldest);
  }

  /** Called before something else is run than what is run now, or was recalled. */
  moves({ start, change }: Pick<Plan, "start" | "change">): void {
    const { monitors } = this.#tools.checker;
    if (this.#from === null) {
      this.#from = this.#soon;
      return;
    }
    const others = change.filter(
      ({ id, periodicity }) => monitors.get(id)?.periodicity !== periodicity,
    );
    for (const { id } of [...start, ...others]) this.#moved(id, this.#soon);
  }

  /** From now on no slot is taken: to be called before the checker hears of it. */
  leaving(): void {
    this.#to ??= this.#tools.clock.wall();
  }

  missed({ monitorId, slot, reason, count }: MissedSlots): void {
    this.#tools.log.debug("missed", { monitor: monitorId, slot, reason, count });
    if (this.#to === null || reason !== "drained") return;
    const known = this.#missed.get(monitorId) ?? slot;
    this.#missed.set(monitorId, epochMillis(Math.min(known, slot)));
  }

  /** Every check has ended. A next start that does not know it only checks more than it has to. */
  keep(): void {
    const { memory, log, checker } = this.#tools;
    if (this.#from === null || this.#to === null) return;
    const spans = [...this.#earlier, this.#span(this.#from, this.#to)]
      .filter(({ from, to }) => from <= to)
      // The longest say the most.
      .toSorted((one, other) => between(other.from, other.to) - between(one.from, one.to))
      .slice(0, agentLimits.runSpansMax)
      .toSorted((one, other) => one.from - other.from);
    const runs = {
      digest: digestOf([...checker.monitors.values()]),
      spans,
      since: running(this.#since, checker.monitors),
      checked: running(this.#checked, checker.monitors),
    };
    try {
      memory.saveRan(runs);
    } catch (error) {
      log.debug("when monitors were run cannot be kept", { "error.message": thrownText(error) });
    }
  }

  /** Ends before the slots of which no note is taken. */
  #span(from: EpochMillis, to: EpochMillis): RunSpan {
    const missed = [...this.#missed].toSorted(([, one], [, other]) => one - other);
    const [, rest = Infinity] = missed[agentLimits.runExceptionsMax] ?? [];
    return {
      from,
      to: epochMillis(Math.min(to, rest - 1)),
      missed: new Map(missed.slice(0, agentLimits.runExceptionsMax)),
    };
  }

  /** Where too many moved, all count from when the oldest of them did. */
  #moved(id: string, now: EpochMillis): void {
    this.#since.delete(id);
    this.#since.set(id, now);
    if (this.#since.size <= agentLimits.runExceptionsMax) return;
    for (const [oldest, floor] of this.#since) {
      this.#since.delete(oldest);
      this.#from = epochMillis(Math.max(this.#from ?? floor, floor));
      this.#earlier = this.#earlier
        .map((span) => ({ ...span, from: epochMillis(Math.max(span.from, floor)) }))
        .filter(({ from, to }) => from <= to);
      return;
    }
  }

  /** A thread takes a moment until it has its monitors. */
  get #soon(): EpochMillis {
    return after(this.#tools.clock.wall(), limits.slotLatenessMax);
  }
}

const running = (
  all: ReadonlyMap<string, EpochMillis>,
  monitors: ReadonlyMap<string, Monitor>,
): ReadonlyMap<string, EpochMillis> => new Map([...all].filter(([id]) => monitors.has(id)));

/** In any order. */
function digestOf(monitors: readonly Pick<Monitor, "id" | "periodicity">[]): string {
  const hash = createHash("sha256");
  const texts = monitors.map(({ id, periodicity }) => JSON.stringify([id, periodicity]));
  for (const text of texts.toSorted()) hash.update(`${text}\n`);
  return hash.digest("base64url");
}
