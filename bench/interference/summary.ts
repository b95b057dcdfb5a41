import type { WireExchange } from "../../test/wire-truth/exchange-on-wire.ts";
import { captureToleranceNanos } from "../../test/wire-truth/deviation.ts";
import type { Capture } from "../../test/wire-truth/pcap.ts";
import type { Reported } from "../../test/wire-truth/reported.ts";
import type { CheckedRow } from "./checked-row.ts";
import {
  deviationOf,
  type Deviating,
  exchangeAt,
  type Figure,
  toolDeviation,
} from "./paired-rows.ts";
import { goals } from "./goals.ts";
import type { ConditionRecord, KindErrors, Spread, ToolRecord } from "./run-record.ts";
import { degradedAt, keyOf, type Targets, type WatchedKind, watchedKinds } from "./targets.ts";

/** What is known of one watched check. */
interface WatchedCheck {
  readonly kind: WatchedKind;
  readonly row: CheckedRow;
  /** Null if the capture does not have all of it. */
  readonly deviating: Deviating | null;
}

type Counts = Omit<ConditionRecord, "name" | "about" | "load" | "expected">;

export function summaryOf(rows: readonly CheckedRow[], capture: Capture, targets: Targets): Counts {
  const judged = rows.filter(({ monitor }) => !monitor.startsWith("silent-"));
  const watched = watchedChecks(judged, capture, targets);
  const failed = judged.filter(({ status }) => status === "error");
  const theirs = failed.filter(({ code }) => code !== "agent_error");
  const degraded = watched.filter(({ row }) => row.status === "degraded");
  const late = watched.flatMap(({ deviating }) =>
    deviating !== null && (deviating.errors.wait ?? 0) > goals.p99 ? [deviating] : [],
  );
  return {
    checks: judged.length,
    watched: watched.length,
    uncertain: watched.filter(({ deviating }) => deviating?.isUncertain === true).length,
    outside: watched.filter(({ deviating }) => deviating?.isOutside === true).length,
    unfound: watched.filter(({ deviating }) => deviating === null).length,
    falseDown: theirs.length,
    falseDegraded: degraded.filter(
      ({ deviating }) => deviating !== null && deviating.captured <= degradedAt,
    ).length,
    unjudged: degraded.filter(({ deviating }) => deviating === null).length,
    lateWaits: { all: late.length, joined: late.filter(isJoined).length },
    ownFaults: failed.length - theirs.length,
    why: [...new Set(failed.map(({ why }) => why.replaceAll(/\d+/g, "N")))].slice(0, 5),
    kinds: watchedKinds.map((kind) =>
      errorsOf(
        kind,
        watched.flatMap((one) =>
          one.kind === kind && one.deviating !== null && one.row.status !== "error"
            ? [one.deviating]
            : [],
        ),
      ),
    ),
  };
}

function watchedChecks(
  rows: readonly CheckedRow[],
  capture: Capture,
  targets: Targets,
): readonly WatchedCheck[] {
  return watchedKinds.flatMap((kind) => {
    const exchanges = targets.exchanges(kind, capture.packets, "key");
    return rows.flatMap((row) => {
      const [of, n] = row.monitor.split("-");
      if (of !== kind) return [];
      const those = exchanges.get(keyOf(kind, Number(n))) ?? [];
      const wire = exchangeAt(those, capture, row.startedAt);
      const isThere = wire !== null && isWhole(row, wire);
      return [{ kind, row, deviating: isThere ? deviationOf(row, wire) : null }];
    });
  });
}

/** Whether `wait` ends with the last packet of the answer instead of the first, as it does if the thread got both at once. */
const isJoined = ({ errors, spread }: Deviating): boolean =>
  errors.wait !== null && spread !== null && Math.abs(errors.wait - spread) <= joinedWithin;
/** Microseconds; the capture's own stamps are less exact. */
const joinedWithin = captureToleranceNanos / 1e3;

/** A check that ends after the capture is in it by its beginning only. */
const isWhole = ({ wait }: CheckedRow, { firstByte, lastByte }: WireExchange): boolean =>
  wait === null || (firstByte !== null && lastByte !== null);

/** A result that says uncertain has said so: its figures are not held against it. */
function errorsOf(kind: WatchedKind, all: readonly Deviating[]): KindErrors {
  const sure = all.filter(({ isUncertain }) => !isUncertain);
  const of = (figure: Figure): Spread | null =>
    spreadOf(sure.flatMap(({ errors }) => errors[figure] ?? []));
  return {
    kind,
    checks: sure.length,
    connect: of("connect"),
    wait: of("wait"),
    latency: of("latency"),
    total: of("total"),
  };
}

/** Which of so many sorted figures a quantile is; the first is 0. */
export const rankOf = (share: number, count: number): number =>
  Math.min(count - 1, Math.floor(count * share));

function spreadOf(errors: readonly number[]): Spread | null {
  if (errors.length === 0) return null;
  const sorted = errors.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[rankOf(share, sorted.length)] ?? 0;
  return { median: at(0.5), p99: at(0.99) };
}

/** A tool's nth check of an address is the nth exchange with it. */
export function toolRecord(
  tool: string,
  condition: string,
  { kind, said }: { readonly kind: WatchedKind; readonly said: readonly Reported[] },
  { capture, targets }: { readonly capture: Capture; readonly targets: Targets },
): ToolRecord {
  const exchanges = targets.exchanges(kind, capture.packets, "address");
  const found = [...Map.groupBy(said, ({ server }) => server)].flatMap(([server, all]) => {
    const those = exchanges.get(server) ?? [];
    // Where something was sent twice, nobody can say which is which.
    if (those.length !== all.length) return [];
    return all.flatMap((one, index) => {
      const wire = those[index];
      return wire === undefined || one.failed ? [] : [toolDeviation(one, wire)];
    });
  });
  return {
    tool,
    condition,
    failed: said.filter(({ failed }) => failed).length,
    ...errorsOf(kind, found),
  };
}

/** The same of an agent of another make, whose results came as rows. */
export function agentRecords(
  tool: string,
  condition: string,
  rows: readonly CheckedRow[],
  { capture, targets }: { readonly capture: Capture; readonly targets: Targets },
  addressOf: (kind: WatchedKind, n: number) => string,
): readonly ToolRecord[] {
  return (["http", "https", "tcp"] as const).map((kind) => {
    const exchanges = targets.exchanges(kind, capture.packets, "address");
    const mine = rows.filter(({ monitor }) => monitor.startsWith(`${kind}-`));
    const found = mine.flatMap((row) => {
      const n = Number(row.monitor.split("-")[1]);
      const wire = exchangeAt(exchanges.get(addressOf(kind, n)) ?? [], capture, row.startedAt);
      return wire === null || row.status === "error" ? [] : [deviationOf(row, wire)];
    });
    const failed = mine.filter(({ status }) => status === "error").length;
    return { tool, condition, failed, ...errorsOf(kind, found) };
  });
}
