import {
  type Assertion,
  numberComparators,
  recordComparators,
  recordTypes,
  stringComparators,
} from "#check/assertion";
import { type MonitorDefinition, periodicities, uriOf } from "#check/definition";
import { failure } from "#check/failure";
import * as limits from "#limits";
import { httpMethods, type Monitor, type Target } from "#check/monitor";
import { parseDnsUri, parseHttpUrl, parseTcpUri } from "#check/target";
import { cutText, showText } from "#text";
import { millis } from "#units";
import { violationsOf } from "#check/violations";

/** The monitor that the agent runs for a definition; a definition that cannot be run becomes a rejected one. */
export function compileMonitor(id: string, definition: MonitorDefinition): Monitor {
  const [first, ...more] = violationsOf(definition, "assignment");
  const assigned = {
    id,
    name: shownName(definition.name),
    kind: definition.kind,
    uri: uriOf(definition),
    periodicity: periodicities[definition.periodicity] ?? periodicityOfRejected,
  };
  if (first !== undefined) {
    const rest = more.length === 0 ? "" : ` (and ${more.length} more)`;
    const message = `Invalid configuration: ${first.field} ${first.message}${rest}`;
    return { ...assigned, rejection: failure(first.code, "config", message) };
  }
  return {
    ...assigned,
    target: targetOf(definition),
    assertions: assertionsOf(definition),
    timeout: millis(definition.timeout === 0 ? limits.timeoutDefault : definition.timeout),
    degradedAt:
      definition.degradedAt === null || definition.degradedAt === 0
        ? null
        : millis(definition.degradedAt),
    retry: definition.retry,
    otel: definition.otel,
    rejection: null,
  };
}

/** Null where the service gives none. It goes to terminals, logs and metrics, so it is made harmless here, once for all of them. */
const shownName = (name: string): string | null =>
  name === "" ? null : cutText(showText(cutText(name, limits.nameCharsMax)), limits.nameCharsMax);

/** A rejected monitor without a usable periodicity says so this often. */
const periodicityOfRejected = millis(60_000);

function targetOf(definition: MonitorDefinition): Target {
  switch (definition.kind) {
    case "http": {
      const method = known(httpMethods, definition.method.toUpperCase());
      const url = must(parseHttpUrl(definition.url)).href;
      const { headers, body, followRedirects } = definition;
      return { kind: "http", url, method, headers, body, followRedirects };
    }
    case "tcp":
      return must(parseTcpUri(definition.uri));
    case "dns": {
      const target = must(parseDnsUri(definition.uri));
      const named = recordTypes.filter((type) =>
        definition.recordAssertions.some(({ record }) => record === type),
      );
      const types = [...new Set([...target.types, ...named])];
      return { ...target, types: types.length === 0 ? ["A", "AAAA"] : types };
    }
  }
}

function assertionsOf(definition: MonitorDefinition): readonly Assertion[] {
  switch (definition.kind) {
    case "http":
      return [
        ...definition.statusCodeAssertions.map(({ target, comparator }) => ({
          kind: "status" as const,
          comparator: known(numberComparators, comparator),
          target,
        })),
        ...definition.bodyAssertions.map(({ target, comparator }) => ({
          kind: "body" as const,
          comparator: known(stringComparators, comparator),
          target,
        })),
        ...definition.headerAssertions.map(({ key, target, comparator }) => ({
          kind: "header" as const,
          key,
          comparator: known(stringComparators, comparator),
          target,
        })),
      ];
    case "tcp":
      return [];
    case "dns":
      return definition.recordAssertions.map(({ record, target, comparator }) => ({
        kind: "record" as const,
        record: known(recordTypes, record),
        comparator: known(recordComparators, comparator),
        target,
      }));
  }
}

function known<T extends string>(all: readonly T[], value: string): T {
  const found = all.find((one) => one === value);
  if (found === undefined) throw new TypeError(`violationsOf let "${value}" pass`);
  return found;
}

function must<T>(result: { ok: true; value: T } | { ok: false; message: string }): T {
  if (!result.ok) throw new TypeError(`violationsOf let a target pass that ${result.message}`);
  return result.value;
}
