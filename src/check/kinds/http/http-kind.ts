import { httpForm } from "#check/kinds/http/http-form";
import { type AssertionLists, type HttpDefinition, httpDefaults } from "#check/definition";
import type { Fact } from "#check/fact";
import { httpArguments } from "#check/kinds/http/http-arguments";
import { httpFacts } from "#check/kinds/http/http-facts";
import { readHttpAssertions, readHttpTarget } from "#check/kinds/http/read-http";
import { assertionLines, type KindEntry } from "#check/kinds/kind-entry";
import { jsonScalar } from "#check/json-path";
import { showUrl } from "#check/target";
import { cutHttp } from "#check/kinds/http/http-cut";
import { httpJson } from "#check/kinds/http/http-json";
import type { TypedOptions } from "#check/kinds/typed-kind";
import { hostPortOf } from "#network/host-port";

const example = `http_monitors:
  - name: shop
    url: https://shop.internal/health
    periodicity: 30s
    active: true
    timeout: 5000 # milliseconds, for one attempt
    retry: 2 # three attempts in all
    degraded_at: 500 # milliseconds
    headers:
      - { key: Accept, value: application/json }
    status_code_assertions:
      - { comparator: gte, target: 200 }
      - { comparator: lt, target: 300 }
    body_assertions:
      - { comparator: contains, target: '"ok":true' }
    header_assertions:
      - { key: Content-Type, comparator: contains, target: json }
    description: "Runbook: https://wiki.internal/shop"`;

/** Requests over HTTP and HTTPS. */
export const httpKind: KindEntry<"http"> = {
  label: "HTTP",
  passesIf: "the status code is 200 to 299",
  trialShows: "where the time went: DNS, connect, TLS, first byte",
  glyph:
    "M2.75 10a7.25 7.25 0 1 0 14.5 0a7.25 7.25 0 1 0-14.5 0M2.75 10h14.5M10 2.75c4 4 4 10.5 0 14.5M10 2.75c-4 4-4 10.5 0 14.5",
  noun: "an HTTP target",
  does: "Requests over HTTP and HTTPS.",
  arguments: httpArguments,
  defaults: httpDefaults,
  values: (read) => read(httpArguments),
  example,
  form: httpForm,
  written: (one, common) => ({
    kind: "http",
    url: one.url,
    method: one.method,
    body: one.body,
    followRedirects: one.follow_redirects,
    headers: one.headers,
    statusCodeAssertions: one.status_code_assertions,
    bodyAssertions: one.body_assertions,
    headerAssertions: one.header_assertions,
    jsonAssertions: one.json_assertions,
    ...common,
  }),
  unseen: { kind: "http", hops: [], response: null },
  typed: {
    scheme: /^https?:/i,
    shape: "https://host/path, http://host/path",
    definition: (url, { common, request, rules }) => ({
      ...httpDefaults,
      ...common,
      ...request,
      url,
      ...typedLists(rules),
    }),
    pasted: (url) => new Map([["url", url]]),
    commands: [],
  },
  judgedBy: ["status", "body", "header", "json", "certificate", "latency"],
  uri: ({ url }) => url,
  shownUri: showUrl,
  read: readHttpTarget,
  assertions: readHttpAssertions,
  shown: ({ url }) => showUrl(url),
  caution: () => "",
  name: ({ url }) => showUrl(url),
  server: ({ url }) => hostPortOf(new URL(url)),
  isProxied: true,
  sent: {
    headers: ({ headers }) => headers,
    with: (target, headers) => ({ ...target, headers }),
    isVerified: ({ url }) => new URL(url).protocol === "https:",
  },
  cut: cutHttp,
  lines: requestLines,
  facts: httpFacts,
  json: httpJson,
};

const typedLists = (of: TypedOptions["rules"]): AssertionLists<HttpDefinition> => ({
  statusCodeAssertions: of("status").map(({ comparator, number }) => ({
    comparator,
    target: number,
  })),
  bodyAssertions: of("body").map(({ comparator, target }) => ({ comparator, target })),
  headerAssertions: of("header").map(({ key, comparator, target }) => ({
    key,
    comparator,
    target,
  })),
  jsonAssertions: of("json").map(({ key, comparator, target }) => ({
    path: key,
    comparator,
    target,
  })),
});

/** Names of headers and no value, no query, no body. */
function requestLines(definition: HttpDefinition): readonly Fact[] {
  const { url, method, body, followRedirects, headers } = definition;
  const { statusCodeAssertions, headerAssertions, bodyAssertions, jsonAssertions } = definition;
  return [
    { label: "Request", value: `${method} ${showUrl(url)}` },
    ...headers.map(({ key }) => ({ label: "Header", value: `${key}, its value is not shown` })),
    ...(body === "" ? [] : [{ label: "Body", value: `${body.length} characters` }]),
    { label: "Redirects", value: followRedirects ? "followed" : "not followed" },
    ...assertionLines([
      ...statusCodeAssertions.map(({ comparator, target }) => `status ${comparator} ${target}`),
      ...headerAssertions.map(({ key, comparator }) => `header ${key} ${comparator}`),
      ...bodyAssertions.map(
        ({ comparator, target }) => `body ${comparator} ${JSON.stringify(target)}`,
      ),
      ...jsonAssertions.map(
        ({ path, comparator, target }) =>
          `json ${path} ${comparator} ${JSON.stringify(jsonScalar(target))}`,
      ),
    ]),
  ];
}
