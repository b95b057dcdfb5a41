import type { Result } from "#check/result";
import { systemClock } from "#base/clock";
import type { ProberOptions } from "#agent/prober/prober";
import { millis, nanosToMillis } from "#base/units";
import { evidenceOnWay } from "#agent/vantage/local-evidence";
import { MachineFiles } from "#agent/vantage/machine-files";

/** This machine's files, looked at once: what is throttled is a share of the time between two looks. */
export type PlaceFiles = Pick<MachineFiles, "look">;

/** Null if the settings want no evidence. */
export function placeFiles({ evidence }: Pick<ProberOptions, "evidence">): PlaceFiles | null {
  if (evidence === "off") return null;
  const files = new MachineFiles();
  files.look(now());
  return files;
}

/** A check that failed, with what this machine's files say. It sends no packet: `picket why` asks the name servers. */
export function withPlace(result: Result, files: PlaceFiles | null): Result {
  const { failure, outcome } = result;
  if (failure === null || outcome === null || files === null) return result;
  // A mistake of configuration or policy was seen before anything was dialled.
  if (failure.phase === "config" || failure.phase === "policy") return result;
  const began = now();
  const local = evidenceOnWay(outcome, null, files.look(began));
  const took = millis(Math.round(now() - began));
  const place = { resolvers: [], local, direct: null, pathChange: null, took, leftOut: 0 };
  return { ...result, place };
}

const now = (): number => nanosToMillis(systemClock.monotonic());
