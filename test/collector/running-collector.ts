import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { closedPort } from "../servers/scripted.ts";
import { startDaemon } from "../lab/daemon.ts";
import { temporaryFolder } from "../support/running-service.ts";

/** A number as OTLP's JSON has it: what is 64 bits wide is text. */
type Wide = string | number;

export interface TakenPoint {
  readonly attributes?: readonly { readonly key: string; readonly value: object }[];
  readonly startTimeUnixNano?: string;
  readonly timeUnixNano: string;
  readonly asDouble?: number;
  readonly asInt?: Wide;
  readonly count?: Wide;
  readonly sum?: number;
  readonly explicitBounds?: readonly number[];
  readonly bucketCounts?: readonly Wide[];
}

export interface TakenMetric {
  readonly name: string;
  readonly description: string;
  readonly unit?: string;
  readonly gauge?: { readonly dataPoints: readonly TakenPoint[] };
  readonly sum?: {
    readonly dataPoints: readonly TakenPoint[];
    readonly aggregationTemporality: number;
    readonly isMonotonic?: boolean;
  };
  readonly histogram?: {
    readonly dataPoints: readonly TakenPoint[];
    readonly aggregationTemporality: number;
  };
}

/** What the collector made of one export. */
export interface Taken {
  readonly resource: Readonly<Record<string, unknown>>;
  readonly metrics: readonly TakenMetric[];
}

/** A collector with a receiver for the agent's own metrics and one for those of its monitors. */
export interface RunningCollector {
  readonly ports: { readonly agent: number; readonly monitors: number };
  /** How many exports each receiver has taken and written, of the one with fewer. */
  exports(): number;
  /** Stops it, so that everything is written, and reads what came to each receiver, in its order. */
  stop(): Promise<{ readonly agent: readonly Taken[]; readonly monitors: readonly Taken[] }>;
}

export async function startCollector(program: string): Promise<RunningCollector> {
  const folder = temporaryFolder();
  const ports = { agent: await closedPort(), monitors: await closedPort() };
  const file = (name: string): string => path.join(folder, `${name}.json`);
  writeFileSync(path.join(folder, "collector.yaml"), configuration(ports, file));
  const daemon = await startDaemon(program, ["--config", path.join(folder, "collector.yaml")], {
    folder,
    port: ports.monitors,
  });
  const lines = (name: string): readonly string[] =>
    readFileSync(file(name), { encoding: "utf8", flag: "a+" }).split("\n").slice(0, -1);
  const taken = (name: string): readonly Taken[] => lines(name).flatMap(takenIn);
  return {
    ports,
    exports: () => Math.min(lines("agent").length, lines("monitors").length),
    stop: async () => {
      await daemon[Symbol.asyncDispose]();
      return { agent: taken("agent"), monitors: taken("monitors") };
    },
  };
}

const configuration = (
  { agent, monitors }: RunningCollector["ports"],
  file: (name: string) => string,
): string => `
receivers:
  otlp/agent: { protocols: { http: { endpoint: "127.0.0.1:${agent}" } } }
  otlp/monitors: { protocols: { http: { endpoint: "127.0.0.1:${monitors}" } } }
exporters:
  file/agent: { path: "${file("agent")}" }
  file/monitors: { path: "${file("monitors")}" }
service:
  telemetry: { metrics: { level: none }, logs: { level: warn } }
  pipelines:
    metrics/agent: { receivers: [otlp/agent], exporters: [file/agent] }
    metrics/monitors: { receivers: [otlp/monitors], exporters: [file/monitors] }
`;

/** One line of the file: an export. */
function takenIn(line: string): readonly Taken[] {
  const { resourceMetrics }: { resourceMetrics: ResourceMetrics[] } = JSON.parse(line);
  return resourceMetrics.map(({ resource, scopeMetrics }) => ({
    resource: attributesIn(resource),
    metrics: scopeMetrics.flatMap(({ metrics }) => metrics),
  }));
}

interface ResourceMetrics {
  readonly resource: Pick<TakenPoint, "attributes">;
  readonly scopeMetrics: readonly { readonly metrics: readonly TakenMetric[] }[];
}

/** Attributes as an object; a whole number is text. */
export const attributesIn = ({
  attributes = [],
}: Pick<TakenPoint, "attributes">): Readonly<Record<string, unknown>> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

export const pointsOf = ({ gauge, sum, histogram }: TakenMetric): readonly TakenPoint[] =>
  (gauge ?? sum ?? histogram)?.dataPoints ?? [];
