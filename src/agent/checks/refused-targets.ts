import * as limits from "#limits/agent-limits";
import type { Monitor } from "#check/monitor";
import { noTargetRules, type TargetRules } from "#network/target-rules";
import type { Result } from "#check/result";

/** A monitor whose target the operator's rules refuse. */
interface RefusedTarget {
  readonly monitorId: string;
  readonly name: string | null;
  /** Which address, and by which rule, without a full stop. */
  readonly sentence: string;
  /** Checks that were refused since one was not. */
  readonly checks: number;
}

/** What the operator lets targets be at this moment. */
export interface TargetRuling {
  readonly rules: TargetRules;
  /** Why these are older than what the files have now; null if they are not. */
  readonly fault: string | null;
}

export interface TargetStanding extends TargetRuling {
  /** The monitors that the rules refuse now. */
  readonly refused: readonly RefusedTarget[];
  /** Checks that they refused since the start. */
  readonly checksRefused: number;
}

/** Without any rule. */
export const noRuling: TargetRuling = { rules: noTargetRules, fault: null };

/** Which monitors the rules for targets refuse now, and how many checks they refused since the start. */
export class RefusedTargets {
  readonly #refused = new Map<string, RefusedTarget>();
  #count = 0;

  note({ monitorId, failure }: Result, { name }: Monitor): void {
    const before = this.#refused.get(monitorId);
    if (failure?.code !== "target_denied") {
      if (before !== undefined) this.#refused.delete(monitorId);
      return;
    }
    this.#count += 1;
    if (before === undefined && this.#refused.size >= limits.refusedTargetsKeptMax) return;
    const checks = (before?.checks ?? 0) + 1;
    this.#refused.set(monitorId, { monitorId, name, sentence: failure.message, checks });
  }

  /** The rules of now, and those that they refuse among the monitors that still run. */
  standing(
    ruling: TargetRuling = noRuling,
    monitors: ReadonlyMap<string, Monitor>,
  ): TargetStanding {
    for (const id of this.#refused.keys()) if (!monitors.has(id)) this.#refused.delete(id);
    const { rules, fault } = ruling;
    return { rules, fault, refused: [...this.#refused.values()], checksRefused: this.#count };
  }
}
