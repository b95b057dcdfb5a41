import type { Assertion, AssertionKind, AssertionOf, Evaluation } from "#check/assertion";
import { bodyRule } from "#assertions/body";
import { certificateRule } from "#assertions/certificate-days";
import { headerRule } from "#assertions/header";
import { jsonRule } from "#assertions/json-value";
import { latencyRule } from "#assertions/latency";
import { lossRule } from "#assertions/loss";
import { recordRule } from "#assertions/record";
import type { Rule } from "#assertions/rule";
import { statusRule } from "#assertions/status";
import * as limits from "#limits/check-limits";
import type { Outcome } from "#check/outcome";
import { cutText } from "#base/text";

/** Every kind of assertion has its rule; a kind without one does not compile. */
const rules: { readonly [K in AssertionKind]: Rule<K> } = {
  status: statusRule,
  body: bodyRule,
  header: headerRule,
  record: recordRule,
  latency: latencyRule,
  certificate: certificateRule,
  loss: lossRule,
  json: jsonRule,
};

/** Judges each assertion by what was seen, in order. What was not seen is not judged, and gives nothing. */
export function evaluate(
  outcome: Outcome,
  assertions: readonly Assertion[],
): readonly Evaluation[] {
  return assertions.flatMap((assertion) => {
    const evaluation = evaluationOf(assertion.kind, assertion, outcome);
    return evaluation === null ? [] : [evaluation];
  });
}

function evaluationOf<K extends AssertionKind>(
  kind: K,
  assertion: AssertionOf<K>,
  outcome: Outcome,
): Evaluation | null {
  const rule: Rule<K> = rules[kind];
  const judgement = rule.judge(assertion, outcome);
  if (judgement === null) return null;
  const received = cutText(judgement.received, limits.receivedCharsMax);
  return { kind, ...judgement, received, expected: rule.words(assertion) };
}
