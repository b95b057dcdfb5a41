import type { fileArguments } from "#check/kinds/kind-table";
import type { MonitorValues } from "#check/kinds/kind-entry";
import type { Path, Reading, ValuesOf } from "#check/argument";
import type { MonitorDefinition } from "#check/definition";
import { listOf } from "#check/monitor-arguments";
import { type Kind, kinds, type OtelConfig } from "#check/monitor";
import { violationsOf } from "#check/read-monitor";
import { type CommonValues, valuedDefinition } from "#check/valued-definition";
import type { FileReading } from "#cli/apply/file-reading";

/** A monitor and where it stands in the file. */
export interface WrittenMonitor {
  readonly path: Path;
  readonly definition: MonitorDefinition;
  /** Names of the private locations that run it. */
  readonly locations: readonly string[];
  /** Names of the channels that get its incidents. */
  readonly notifications: readonly string[];
  /** Names of monitors that it cannot work without. */
  readonly dependsOn: readonly string[];
  readonly renamedFrom: string;
}

/** The monitors of the lists of a file. */
export function writtenMonitors(
  file: ValuesOf<typeof fileArguments>,
  activeDefault: boolean,
  reading: Reading,
): readonly WrittenMonitor[] {
  return kinds.flatMap((kind) => {
    const list: readonly MonitorValues<Kind>[] = file[listOf(kind)];
    return list.map((one, index): WrittenMonitor => {
      const path = [listOf(kind), index];
      const active = one.active ?? activeDefault;
      const otel = otelOf(one, path, reading);
      const { locations, notifications } = one;
      return {
        path,
        definition: valuedDefinition(kind, one, { active, otel }),
        locations,
        notifications,
        dependsOn: one.depends_on,
        renamedFrom: one.renamed_from,
      };
    });
  });
}

function otelOf(
  { otlp_endpoint: endpoint, otlp_headers: headers }: CommonValues,
  path: Path,
  reading: Reading,
): OtelConfig | null {
  if (endpoint !== "") return { endpoint, headers };
  if (headers.length > 0) reading.report([...path, "otlp_headers"], "needs an otlp_endpoint");
  return null;
}

/** Says of each monitor what the specification forbids. */
export function judgeMonitors(written: readonly WrittenMonitor[], reading: FileReading): void {
  for (const { path, definition } of written)
    for (const violation of violationsOf(definition, "management")) {
      const header = otlpHeader(violation.field, definition);
      if (header === null) reading.judge(path, [violation]);
      else reading.reportKey([...path, "otlp_headers", header], violation.message);
    }
}

/** In a file these headers are a mapping: the name of the one that a violation speaks of, null for other violations. */
function otlpHeader(field: string, { otel }: MonitorDefinition): string | null {
  const [, index] = /^otlp_headers\[(\d+)\]/.exec(field) ?? [];
  return index === undefined ? null : (otel?.headers[Number(index)]?.key ?? null);
}
