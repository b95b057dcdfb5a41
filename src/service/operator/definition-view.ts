import { type DefinitionOf, type MonitorDefinition, periodicities } from "#check/definition";
import type { KindEntry } from "#check/kinds/kind-entry";
import { kindTable } from "#check/kinds/kind-table";
import type { Kind } from "#check/monitor";
import { showUrl } from "#check/target";
import { isoTime, lengthOf, setLimit, span } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import * as limits from "#limits/check-limits";
import { shownSignature } from "#signing/monitor-signature";
import { between, type EpochMillis, millis } from "#base/units";

/** What a monitor is asked to do, without a secret: names of headers and no value, no query, no body. */
export function definitionView(
  definition: MonitorDefinition,
  certificateEnd: EpochMillis | null,
  at: EpochMillis,
): Html {
  const facts = [
    ...ofAll(definition),
    ...ofKind(definition.kind, definition),
    ...(certificateEnd === null
      ? []
      : [["Certificate", certificateWords(certificateEnd, at)] as const]),
  ];
  return html`<section aria-labelledby="definition">
    <h2 id="definition">Configuration</h2>
    <dl class="facts">
      ${facts.map(
        ([label, value]) =>
          html`<dt>${label}</dt>
            <dd>${value}</dd>`,
      )}
    </dl>
  </section>`;
}

type Line = readonly [label: string, value: string];

/** `30 s` of `30s`. */
function periodWords(periodicity: string): string {
  const period = periodicities[periodicity];
  return period === undefined ? periodicity : lengthOf(period);
}

function ofAll(definition: MonitorDefinition): readonly Line[] {
  const { periodicity, timeout, degradedAt, retry, description, otel, active, signature } =
    definition;
  const tried = timeout === 0 ? limits.timeoutDefault : millis(timeout);
  return [
    ["Period", `every ${periodWords(periodicity)}`],
    [
      "Timeout",
      `${setLimit(tried)} an attempt, ${retry === 0 ? "no retry" : `${retry} more after a failed one`}`,
    ],
    [
      "Degraded",
      degradedAt === null || degradedAt === 0
        ? "no threshold"
        : `above ${setLimit(millis(degradedAt))}`,
    ],
    ...(active ? [] : [["Active", "no"] as const]),
    ...(signature === "" ? [] : [["Signed", shownSignature(signature)] as const]),
    ...(description === "" ? [] : [["Description", description] as const]),
    ...(otel === null || otel.endpoint === ""
      ? []
      : [["Collector", showUrl(otel.endpoint)] as const]),
  ];
}

function ofKind<K extends Kind>(kind: K, definition: DefinitionOf<K>): readonly Line[] {
  const entry: KindEntry<K> = kindTable[kind];
  return entry.lines(definition).map(({ label, value }): Line => [label, value]);
}

function certificateWords(end: EpochMillis, at: EpochMillis): string {
  const day = isoTime(end).slice(0, 10);
  return end < at ? `ended on ${day}` : `${span(between(at, end))} left, until ${day}`;
}
