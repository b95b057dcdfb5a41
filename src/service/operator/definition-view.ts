import type {
  AssertionLists,
  DnsDefinition,
  HttpDefinition,
  MonitorDefinition,
} from "#check/definition";
import { showUrl } from "#check/target";
import { isoTime, span } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import * as limits from "#limits/check-limits";
import { between, type EpochMillis, millis } from "#base/units";

/** What a monitor is asked to do, without a secret: names of headers and no value, no query, no body. */
export function definitionView(
  definition: MonitorDefinition,
  certificateEnd: EpochMillis | null,
  at: EpochMillis,
): Html {
  const facts = [
    ...ofAll(definition),
    ...ofKind(definition),
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

function ofAll(definition: MonitorDefinition): readonly Line[] {
  const { periodicity, timeout, degradedAt, retry, description, otel, active } = definition;
  const tried = timeout === 0 ? limits.timeoutDefault : millis(timeout);
  return [
    ["Period", periodicity],
    [
      "Timeout",
      `${tried} ms an attempt, ${retry === 0 ? "no retry" : `${retry} more after a failed one`}`,
    ],
    [
      "Degraded",
      degradedAt === null || degradedAt === 0 ? "no threshold" : `above ${degradedAt} ms`,
    ],
    ...(active ? [] : [["Active", "no"] as const]),
    ...(description === "" ? [] : [["Description", description] as const]),
    ...(otel === null || otel.endpoint === ""
      ? []
      : [["Collector", showUrl(otel.endpoint)] as const]),
  ];
}

function ofKind(definition: MonitorDefinition): readonly Line[] {
  switch (definition.kind) {
    case "http": {
      const { url, method, body, followRedirects, headers } = definition;
      return [
        ["Request", `${method} ${showUrl(url)}`],
        ...headers.map(({ key }): Line => ["Header", `${key}, its value is not shown`]),
        ...(body === "" ? [] : [["Body", `${body.length} characters`] as const]),
        ["Redirects", followRedirects ? "followed" : "not followed"],
        ...assertionLines<HttpDefinition>({
          statusCodeAssertions: definition.statusCodeAssertions.map(
            ({ comparator, target }) => `status ${comparator} ${target}`,
          ),
          headerAssertions: definition.headerAssertions.map(
            ({ key, comparator }) => `header ${key} ${comparator} a value that is not shown`,
          ),
          bodyAssertions: definition.bodyAssertions.map(
            ({ comparator, target }) => `body ${comparator} ${target}`,
          ),
        }),
      ];
    }
    case "tcp":
      return [];
    case "dns":
      return assertionLines<DnsDefinition>({
        recordAssertions: definition.recordAssertions.map(
          ({ record, comparator, target }) => `${record} ${comparator} ${target}`,
        ),
      });
  }
}

/** A line for each assertion. A list of them that is left out does not compile. */
const assertionLines = <D extends MonitorDefinition>(words: {
  readonly [L in keyof AssertionLists<D>]: readonly string[];
}): readonly Line[] =>
  Object.values<readonly string[]>(words).flatMap((list) =>
    list.map((one): Line => ["Assertion", one]),
  );

function certificateWords(end: EpochMillis, at: EpochMillis): string {
  const day = isoTime(end).slice(0, 10);
  return end < at ? `ended on ${day}` : `${span(between(at, end))} left, until ${day}`;
}
