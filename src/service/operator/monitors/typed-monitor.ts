import type { KindEntry } from "#check/kinds/kind-entry";
import type { Mapping } from "#base/json";
import { freeName } from "#base/free-name";
import type { DefinitionOf, MonitorDefinition } from "#check/definition";
import type { Mistake } from "#check/findings";
import { kindTable, uriOf } from "#check/kinds/kind-table";
import type { Kind, OtelConfig } from "#check/monitor";
import { violationsOf } from "#check/read-monitor";
import { type CommonValues, valuedDefinition } from "#check/valued-definition";
import * as limits from "#limits/check-limits";
import { monitorValues } from "#service/configuration/monitor-values";
import { Refusal, refuseViolations } from "#service/edge/call-refusal";
import { typedFor, valuesIn, writtenIn } from "#service/operator/forms/form-reading";
import { keyMistakes } from "#service/operator/monitors/label-keys";
import { monitorFields } from "#service/operator/monitors/fields-of-kinds";
import { managedMonitor } from "#wire/managed-monitor";
import { objectiveWritten, policyUnwritten } from "#check/alert-policy";

/** Where a monitor runs and who is notified of it, by ids. */
export interface TypedPlaces {
  readonly locations: readonly string[];
  readonly channels: readonly string[];
}

/** A monitor as a person typed it. */
export interface TypedMonitor extends TypedPlaces {
  readonly definition: MonitorDefinition;
}

/** What a monitor says, by the names of the arguments of a file. */
export const writtenMonitor = (
  definition: MonitorDefinition,
  { locations, channels }: TypedPlaces,
): Mapping => ({
  ...Object.fromEntries(monitorValues(managedMonitor(definition))),
  depends_on: definition.alerting?.dependsOn ?? [],
  locations,
  notifications: channels,
});

/** What a form shows of a monitor. */
export const typedMonitorFor = (
  definition: MonitorDefinition,
  places: TypedPlaces,
): URLSearchParams => typedFor(monitorFields(definition.kind), writtenMonitor(definition, places));

/** What a form is read with. */
interface Before {
  /** What untouched secrets keep. */
  readonly saved: Mapping;
  /** Names of the other monitors. */
  readonly taken: ReadonlySet<string>;
}

/** The monitor that a form says; throws a Refusal with all that is wrong. */
export function monitorIn(
  kind: Kind,
  typed: URLSearchParams,
  { saved, taken }: Before,
): TypedMonitor {
  const written = named(kind, writtenIn(monitorFields(kind), typed, saved), taken);
  const { definition: unsigned, mistakes, places } = readAs(kind, written);
  // No one types a signature: the one before stays, as long as it is of what is saved.
  const { signature: before } = saved;
  const signature = typeof before === "string" ? before : "";
  const definition = withObjective({ ...unsigned, signature });
  const isSaid = new Set(mistakes.map(({ field }) => field));
  const more = violationsOf(definition, "management").filter(({ field }) => !isSaid.has(field));
  const all = [...mistakes, ...more, ...runMistakes(typed), ...keyMistakes(typed, saved)];
  // Without a name it is named after its target, so only that is missing.
  const others = all.filter(({ field }) => field !== "name");
  refuseViolations(written["name"] === undefined && others.length > 0 ? others : all);
  return { definition, ...places };
}

/** A form shows an objective again as its example is written, however it was typed. */
const withObjective = <D extends MonitorDefinition>(definition: D): D =>
  definition.alerting === null
    ? definition
    : {
        ...definition,
        alerting: {
          ...definition.alerting,
          objective: objectiveWritten(definition.alerting.objective),
        },
      };

/** In a file 0 stands for the default. A person who types it means something else, and is shown an empty field afterwards. */
const runMistakes = (typed: URLSearchParams): readonly Mistake[] =>
  ["failures", "degraded", "successes"]
    .map((name) => `alerting.${name}`)
    .filter((field) => /^0+$/.test((typed.get(field) ?? "").trim()))
    .map((field) => ({ field, message: `must be in 1 to ${limits.policyRunMax}, not 0` }));

function readAs<K extends Kind>(
  kind: K,
  written: Mapping,
): {
  readonly definition: DefinitionOf<K>;
  readonly mistakes: readonly Mistake[];
  readonly places: TypedPlaces;
} {
  const entry: KindEntry<K> = kindTable[kind];
  const mistakes: Mistake[] = [];
  const values = entry.values((table) => {
    const read = valuesIn(table, written);
    mistakes.push(...read.mistakes);
    return read.values;
  });
  const common: CommonValues = values;
  const { active, otlp_endpoint: endpoint, otlp_headers: headers } = common;
  const otel: OtelConfig | null = endpoint === "" ? null : { endpoint, headers };
  const lacking =
    endpoint === "" && headers.length > 0
      ? [{ field: "otlp_headers", message: "need an OTLP endpoint" }]
      : [];
  const definition = valuedDefinition(kind, values, { active: active ?? false, otel });
  return {
    definition: withDependencies(definition, common.depends_on),
    mistakes: [...mistakes, ...lacking],
    places: { locations: common.locations, channels: common.notifications },
  };
}

function withDependencies<D extends MonitorDefinition>(
  definition: D,
  dependsOn: readonly string[],
): D {
  if (dependsOn.length === 0) return definition;
  return { ...definition, alerting: { ...(definition.alerting ?? policyUnwritten), dependsOn } };
}

/** A monitor without a name is called as its target is shown, with a number if another one is called so. */
function named(kind: Kind, written: Mapping, taken: ReadonlySet<string>): Mapping {
  if (written["name"] !== undefined) return written;
  const { definition } = readAs(kind, written);
  const uri = uriOf(kind, definition);
  if (uri === "") return written;
  const shown = kindTable[kind]
    .shownUri(uri)
    .replace(/^https?:\/\/|^dns:/i, "")
    .replace(/\/$/, "");
  return { ...written, name: freeName(shown, taken, limits.nameCharsMax) };
}

/** A refusal of the rules by the names of the form's fields. */
export function inForm(error: unknown): unknown {
  if (!(error instanceof Refusal)) return error;
  const mistakes = error.mistakes.map(({ field, message }) => ({
    field: field.replace(/^open_telemetry\./, "otlp_").replace("alerting.depends_on", "depends_on"),
    message,
  }));
  return new Refusal(error.code, error.message, error.headers, mistakes);
}
