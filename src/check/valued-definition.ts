import { kindTable } from "#check/kinds/kind-table";
import type { KindEntry } from "#check/kinds/kind-entry";
import type { WrittenPolicy } from "#check/alert-policy";
import type { CommonFields, DefinitionOf } from "#check/definition";
import type { MonitorValues } from "#check/kinds/kind-entry";
import type { Kind, OtelConfig } from "#check/monitor";

/** What the arguments of a monitor do not say by themselves. */
interface Surroundings {
  readonly active: boolean;
  readonly otel: OtelConfig | null;
}

/** The definition that the arguments of a monitor say, in a file or in a form. What it depends on is not in it yet. */
export const valuedDefinition = <K extends Kind>(
  kind: K,
  values: MonitorValues<K>,
  surroundings: Surroundings,
): DefinitionOf<K> => {
  const entry: KindEntry<K> = kindTable[kind];
  return entry.written(values, commonOf(values, surroundings));
};

/** What the arguments that all kinds have read as. */
export type CommonValues = Omit<MonitorValues<"tcp">, "uri">;

const commonOf = (one: CommonValues, { active, otel }: Surroundings): CommonFields => ({
  name: one.name,
  periodicity: one.periodicity,
  timeout: one.timeout,
  degradedAt: one.degraded_at,
  retry: one.retry,
  active,
  public: one.public,
  description: one.description,
  regions: one.regions,
  otel,
  alerting: policyOf(one),
  signature: one.signature,
  labels: Object.fromEntries(one.labels.map(({ key, value }) => [key, value])),
});

const policyOf = ({ alerting }: CommonValues): WrittenPolicy | null =>
  alerting === null ? null : { ...writtenPolicy(alerting), dependsOn: [] };

/** Arguments have names of several words with a line between them. */
const writtenPolicy = ({
  certificate_days: certificateDays,
  ...policy
}: NonNullable<CommonValues["alerting"]>): Omit<WrittenPolicy, "dependsOn"> => ({
  ...policy,
  certificateDays,
});
