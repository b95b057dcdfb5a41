import * as limits from "#limits/alerts-limits";
import * as vantageLimits from "#limits/vantage-limits";
import { saidBy } from "#service/agents/instances";
import {
  type AgentTrouble,
  agentTroubles,
  type InstanceReport,
  type TroubleSpell,
} from "#service/store/instance-report";
import type { InstanceRow } from "#service/store/state-store";
import { between, type EpochMillis } from "#base/units";

/** A heartbeat with what is concluded from it and those before it; `before` is null for an agent that was not known. */
export function withSpells(
  before: Pick<InstanceRow, "report"> | null,
  report: InstanceReport,
  now: EpochMillis,
): InstanceReport {
  const last = saidBy(before ?? { report: null });
  const spells = agentTroubles.flatMap((trouble) => spellOf(trouble, last, report, now));
  return { ...report, spells };
}

/** Whether a spell is more than a moment: what was lost is lost, everything else has to show again. */
export function isLasting({ trouble, since, lastAt, amount }: TroubleSpell): boolean {
  const lasts = between(since, lastAt) >= limits.agentTroubleLasts;
  switch (trouble) {
    case "results-dropped":
      return true;
    case "results-rejected":
    case "clock-off":
      return lasts;
    case "slots-missed":
      return lasts && amount >= limits.missedSlotsTroubleMin;
  }
}

function spellOf(
  trouble: AgentTrouble,
  last: InstanceReport,
  report: InstanceReport,
  now: EpochMillis,
): readonly TroubleSpell[] {
  const amount = signs[trouble](last, report);
  const known = last.spells.find((one) => one.trouble === trouble);
  const isOver = known === undefined || between(known.lastAt, now) >= limits.agentTroubleOverAfter;
  if (amount === 0) return isOver ? [] : [known];
  if (isOver) return [{ trouble, since: now, lastAt: now, amount }];
  const total = trouble === "clock-off" ? amount : known.amount + amount;
  return [{ ...known, lastAt: now, amount: total }];
}

/** How much of each trouble one heartbeat shows in addition to the one before it; 0 is none. */
const signs: {
  readonly [T in AgentTrouble]: (last: InstanceReport, report: InstanceReport) => number;
} = {
  "results-dropped": (last, report) => grown(last.resultsGivenUp, report.resultsGivenUp),
  // A clock that is far ahead has its results rejected: that is one trouble.
  "results-rejected": (last, report) =>
    isOff(report) || last.spells.some(({ trouble }) => trouble === "clock-off")
      ? 0
      : grown(faultyOf(last), faultyOf(report)),
  "clock-off": (_last, report) => (isOff(report) ? (report.clockAhead ?? 0) : 0),
  // One late check on a busy machine is no trouble.
  "slots-missed": (last, report) => {
    const missed = grown(last.missedSlotsOwn, report.missedSlotsOwn);
    const slots = missed + grown(last.checksRun, report.checksRun);
    return missed >= slots * limits.missedSlotsTroubleShare ? missed : 0;
  },
};

const isOff = ({ clockAhead }: InstanceReport): boolean =>
  Math.abs(clockAhead ?? 0) > vantageLimits.clockSkewMax;

/** Results that were rejected for what they are. */
const faultyOf = ({ resultsRejected, resultsUnassigned }: InstanceReport): number =>
  resultsRejected - resultsUnassigned;

/** By how much a counter of the agent's has grown; it starts again with the agent. */
const grown = (before: number, now: number): number => (now >= before ? now - before : now);
