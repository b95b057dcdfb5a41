import {
  type AssertionOf,
  type Assertion,
  jsonComparators,
  numberComparators,
  stringComparators,
} from "#check/assertion";
import type { HttpDefinition } from "#check/definition";
import { type Findings, quoted } from "#check/findings";
import {
  checkAssertionTarget,
  given,
  leftOut,
  parsedOr,
  readComparator,
} from "#check/kinds/reading";
import { bodyMethods, type HttpMethod, httpMethods, type HttpTarget } from "#check/monitor";
import { jsonScalar, parseJsonPath } from "#check/json-path";
import { isToken, readHeaders } from "#check/read-headers";
import { parseHttpUrl } from "#check/target";
import * as limits from "#limits/check-limits";

export function readHttpTarget(definition: HttpDefinition, findings: Findings): HttpTarget | null {
  const { followRedirects } = definition;
  const parsed = parseHttpUrl(given(definition.url, findings));
  const url = parsedOr("url", parsed, "invalid_url", findings);
  const method = readMethod(definition.method, findings);
  const body = readBody(definition.body, method, findings);
  const headers = readHeaders(definition.headers, findings);
  if (url === null || method === null) return null;
  return { kind: "http", url: url.href, method, headers, body, followRedirects };
}

function readMethod(value: string, findings: Findings): HttpMethod | null {
  const method = httpMethods.find((one) => one === value.toUpperCase());
  if (method !== undefined) return method;
  const message = `must be one of ${httpMethods.join(", ")}, not ${quoted(value)}`;
  return findings.violate("method", message, "invalid_method");
}

/** A body goes with POST, PUT and PATCH. One that is kept with another method is not sent. */
function readBody(body: string, method: HttpMethod | null, findings: Findings): string {
  if (new TextEncoder().encode(body).length > limits.requestBodyBytesMax)
    findings.violate("body", `is larger than ${limits.requestBodyBytesMax} bytes`);
  if (body === "" || method === null || bodyMethods.includes(method)) return body;
  findings.remark("body", `is not sent with ${method}: only ${bodyMethods.join(", ")} send one`);
  return "";
}

/** In the order in which they judge. */
export const readHttpAssertions = (
  definition: HttpDefinition,
  findings: Findings,
): readonly Assertion[] => [
  ...readStatuses(definition.statusCodeAssertions, findings),
  ...readBodies(definition.bodyAssertions, findings),
  ...readHeaderAssertions(definition.headerAssertions, findings),
  ...readJsonAssertions(definition.jsonAssertions, findings),
];

/**
 * Where no status assertion is left, the status is judged as if there had been none: any other rule would be laxer than
 * what a monitor without assertions gets.
 */
function readStatuses(
  assertions: HttpDefinition["statusCodeAssertions"],
  findings: Findings,
): readonly AssertionOf<"status">[] {
  const field = "status_code_assertions";
  findings.checkCount(field, assertions.length, limits.assertionsMax);
  const statuses = assertions.flatMap(({ target, comparator }, index) => {
    const at = `${field}[${index}]`;
    if (findings.door === "management") checkStatus(`${at}.target`, target, findings);
    const known = readComparator(at, comparator, numberComparators, findings);
    return known === null ? [] : [{ kind: "status", comparator: known, target } as const];
  });
  if (assertions.length > 0 && statuses.length === 0)
    findings.remark(field, "are all left out: the status must be 200 to 299");
  return statuses;
}

/** A service's numbers are compared as they are: a status below 600 is what was asked for. */
function checkStatus(field: string, target: number, findings: Findings): void {
  const { statusCodeMin: low, statusCodeMax: high } = limits;
  if (!Number.isInteger(target)) findings.violate(field, `must be a whole number, not ${target}`);
  else if (target < low || target > high)
    findings.violate(field, `must be in ${low} to ${high}, not ${target}`);
}

function readBodies(
  assertions: HttpDefinition["bodyAssertions"],
  findings: Findings,
): readonly AssertionOf<"body">[] {
  const field = "body_assertions";
  findings.checkCount(field, assertions.length, limits.assertionsMax);
  return assertions.flatMap(({ target, comparator }, index) => {
    const at = `${field}[${index}]`;
    checkAssertionTarget(at, target, findings);
    const known = readComparator(at, comparator, stringComparators, findings);
    return known === null ? [] : [{ kind: "body", comparator: known, target } as const];
  });
}

function readHeaderAssertions(
  assertions: HttpDefinition["headerAssertions"],
  findings: Findings,
): readonly AssertionOf<"header">[] {
  const field = "header_assertions";
  findings.checkCount(field, assertions.length, limits.assertionsMax);
  return assertions.flatMap(({ key, target, comparator }, index) => {
    const at = `${field}[${index}]`;
    checkAssertionTarget(at, target, findings);
    const known = readComparator(at, comparator, stringComparators, findings);
    if (!isToken(key)) {
      findings.tolerate(`${at}.key`, "is not a valid header name", leftOut, "invalid_header");
      return [];
    }
    return known === null ? [] : [{ kind: "header", key, comparator: known, target } as const];
  });
}

function readJsonAssertions(
  assertions: HttpDefinition["jsonAssertions"],
  findings: Findings,
): readonly AssertionOf<"json">[] {
  const field = "json_assertions";
  findings.checkCount(field, assertions.length, limits.assertionsMax);
  return assertions.flatMap(({ path, target, comparator }, index) => {
    const at = `${field}[${index}]`;
    checkAssertionTarget(at, target, findings);
    const known = readComparator(at, comparator, jsonComparators, findings);
    const parsed = parseJsonPath(path);
    if (!parsed.ok) {
      findings.tolerate(`${at}.path`, parsed.message, leftOut, "invalid_comparator");
      return [];
    }
    if (known === null) return [];
    return [
      { kind: "json", path: parsed.value, comparator: known, target: jsonScalar(target) } as const,
    ];
  });
}
