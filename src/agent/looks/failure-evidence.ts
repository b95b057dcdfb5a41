import type { EvidenceBudget } from "#agent/looks/evidence-budget";
import { EvidencePace } from "#agent/looks/evidence-pace";
import { FurtherEvidence, noDirectLook } from "#agent/looks/further-evidence";
import type { NameQuestions } from "#agent/looks/name-questions";
import type { PlaceSources } from "#agent/looks/place-sources";
import type { Target } from "#check/monitor";
import type { Result } from "#check/result";
import { millis } from "#base/units";
import { evidenceOnWay } from "#agent/vantage/local-evidence";
import type { MachineSight } from "#agent/vantage/machine-sight";
import type { ReportedEvidence } from "#wire/write-evidence";

interface EvidenceTools {
  readonly sources: PlaceSources;
  readonly budget: EvidenceBudget;
  readonly names: NameQuestions;
  /** Milliseconds of the monotonic clock. */
  readonly now: () => number;
}

/** What a failure is looked up for. */
interface FailureLook {
  readonly sight: MachineSight;
  /** When that began. */
  readonly began: number;
  /** Whether the name servers were asked for it; "left out" where they had to be, and were not. */
  readonly names: "no matter" | "asked" | "left out";
  readonly target: Target;
  /** Whether small packets can say more. */
  readonly isNarrowWorth: boolean;
  readonly signal: AbortSignal;
}

/** A failure with its evidence, and how much of that goes to the service now. */
interface EvidentResult {
  readonly result: Result;
  readonly evidence: ReportedEvidence;
}

/** Puts together what was seen when a check failed. Whole paths are traced only when they go to the service, too. */
export class FailureEvidence {
  readonly #tools: EvidenceTools;
  readonly #further: FurtherEvidence;
  readonly #pace = new EvidencePace();

  constructor(tools: EvidenceTools) {
    this.#tools = tools;
    this.#further = new FurtherEvidence(tools);
  }

  async of(failed: Result, looked: FailureLook): Promise<EvidentResult> {
    const { sources, names, now } = this.#tools;
    const { sight, began, target, isNarrowWorth, signal } = looked;
    const due = this.#pace.due(failed, began);
    const wanted = { sight, isTraced: due !== "nothing", target, isNarrowWorth, signal };
    const { result, leftOut } = await this.#further.of(failed, wanted);
    const isTraced = (result.outcome?.evidence?.path ?? null) !== null;
    const isSent = due === "all" || (due === "a path" && isTraced);
    if (isSent) this.#pace.sent(failed, began, leftOut > 0 && !isTraced);
    const around =
      due === "all" ? await this.#further.direct(failed, target, signal) : noDirectLook;
    const server = looked.names === "no matter" ? null : (sources.resolvers()[0] ?? null);
    const place = {
      resolvers: looked.names === "asked" ? names.answers : [],
      local: evidenceOnWay(result.outcome, server, sight),
      direct: around.direct,
      took: millis(Math.round(now() - began)),
      pathChange: null,
      leftOut: leftOut + around.leftOut + (looked.names === "left out" ? 1 : 0),
    };
    const shown = sources.evidence === "full" ? "whole" : "without addresses";
    return { result: { ...result, place }, evidence: isSent ? shown : "none" };
  }

  /** The monitor passed: its next failure is a first one. */
  passed(monitorId: string): void {
    this.#pace.passed(monitorId);
  }

  /** Monitors that were taken away. */
  forgetOthers(runs: (monitorId: string) => boolean): void {
    this.#pace.forgetOthers(runs);
  }
}
