import type { Assertion, Evaluation } from "#check/assertion";
import { holdsForNumber } from "#assertions/number";
import { holdsForRecords } from "#assertions/record";
import { holdsForString } from "#assertions/string";
import * as limits from "#limits";
import type { HttpResponse, Outcome } from "#check/outcome";
import { cutText } from "#text";

/**
 * Holds each assertion against what was seen, in order. What was not seen is not judged: an HTTP outcome without a
 * response, or one of another kind than the assertion, gives none.
 */
export function evaluate(
  outcome: Outcome,
  assertions: readonly Assertion[],
): readonly Evaluation[] {
  switch (outcome.kind) {
    case "http":
      return outcome.response === null ? [] : evaluateHttp(outcome.response, assertions);
    case "tcp":
      return [];
    case "dns":
      return outcome.rcode === null
        ? []
        : assertions.flatMap((assertion) =>
            assertion.kind === "record" ? [evaluateRecords(outcome.records, assertion)] : [],
          );
  }
}

function evaluateHttp(
  response: HttpResponse,
  assertions: readonly Assertion[],
): readonly Evaluation[] {
  // The body is decoded to text once, and only when somebody asks.
  let text: string | null = null;
  const bodyText = (): string => (text ??= new TextDecoder().decode(response.body));
  return assertions.flatMap((assertion): Evaluation[] => {
    switch (assertion.kind) {
      case "status": {
        const held = holdsForNumber(assertion.comparator, response.statusCode, assertion.target);
        return [judged(assertion, held, String(response.statusCode))];
      }
      case "body":
        return [evaluateBody(bodyText(), response.bodyCut, assertion)];
      case "header":
        return [evaluateHeader(response.headers, assertion)];
      case "record":
        return [];
    }
  });
}

/** Of a body that was cut, only what is already there is certain: that it contains something, or is not empty. */
function evaluateBody(
  text: string,
  cut: boolean,
  assertion: Extract<Assertion, { kind: "body" }>,
): Evaluation {
  const { comparator, target } = assertion;
  const held = holdsForString(comparator, text, target);
  const certain =
    comparator === "empty" ||
    comparator === "not_empty" ||
    (held && comparator === "contains") ||
    (!held && comparator === "not_contains");
  return { ...judged(assertion, held, text), unproven: cut && !certain };
}

/** RFC 9110 §5.3: several values of one header are one list, except Set-Cookie, where any one may satisfy. */
function evaluateHeader(
  headers: HttpResponse["headers"],
  assertion: Extract<Assertion, { kind: "header" }>,
): Evaluation {
  const key = assertion.key.toLowerCase();
  const values = headers.flatMap(([name, value]) => (name.toLowerCase() === key ? [value] : []));
  const joined = values.join(", ");
  if (key !== "set-cookie" || values.length < 2)
    return judged(
      assertion,
      holdsForString(assertion.comparator, joined, assertion.target),
      joined,
    );
  // "Any cookie is not X" would hold for nearly every response: a negation asks for all of them.
  const negated = assertion.comparator === "neq" || assertion.comparator === "not_contains";
  const holds = (value: string): boolean =>
    holdsForString(assertion.comparator, value, assertion.target);
  return judged(assertion, negated ? values.every(holds) : values.some(holds), joined);
}

function evaluateRecords(
  records: readonly { readonly type: string; readonly value: string }[],
  assertion: Extract<Assertion, { kind: "record" }>,
): Evaluation {
  const values = records.flatMap(({ type, value }) => (type === assertion.record ? [value] : []));
  const held = holdsForRecords(assertion.comparator, assertion.record, values, assertion.target);
  return judged(assertion, held, values.join(", "));
}

const judged = (assertion: Assertion, held: boolean, received: string): Evaluation => ({
  kind: assertion.kind,
  held,
  expected: sentence(assertion),
  received: cutText(received, limits.receivedCharsMax),
  unproven: false,
});

/** `body contains "ok"`, `status eq 200`, `header content-type not_empty`. */
function sentence(assertion: Assertion): string {
  switch (assertion.kind) {
    case "status":
      return `status ${assertion.comparator} ${assertion.target}`;
    case "body":
      return `body ${compared(assertion)}`;
    case "header":
      return `header ${assertion.key} ${compared(assertion)}`;
    case "record":
      return `${assertion.record} ${compared(assertion)}`;
  }
}

function compared({ comparator, target }: { comparator: string; target: string }): string {
  return comparator === "empty" || comparator === "not_empty"
    ? comparator
    : `${comparator} ${JSON.stringify(cutText(target, limits.receivedCharsMax))}`;
}
