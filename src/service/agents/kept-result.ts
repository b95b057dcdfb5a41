import type { BatchResult, CheckDetail } from "#contract/private_location/v1/private_location_pb";
import { removed } from "#check/shown-header";
import type { OwnSecrets } from "#service/monitors/own-secrets";
import { answerIn, keptFields, openReceived, sentAnswer } from "#service/monitors/server-answer";

/**
 * A report as it is kept. Of what a server answered to an HTTP check that failed or was slow, that is an excerpt; of one that
 * passed, no body. What the monitor itself sent is in neither, if the server sent it back.
 */
export function keptResult(batch: BatchResult, secrets: OwnSecrets): BatchResult {
  const { detail } = batch;
  if (batch.result.case !== "http")
    return detail === undefined ? batch : { ...batch, detail: withoutAnswer(detail) };
  const { value } = batch.result;
  const cut = (text: string): string => secrets.cut(text, false);
  const isWell = value.requestStatus === "success" || value.requestStatus === "active";
  const came = { ...sentAnswer(value, detail), isAsItCame: true };
  const answer = isWell && !secrets.isPlainlyIn(value.headers) ? null : answerIn(came, secrets);
  const fields = answer === null ? { headers: value.headers, body: "" } : keptFields(answer);
  return {
    ...batch,
    result: {
      case: "http",
      value: { ...value, message: cut(value.message), ...fields, ...(isWell ? { body: "" } : {}) },
    },
    ...(detail === undefined ? {} : { detail: cutDetail(withoutAnswer(detail), secrets) }),
  };
}

/**
 * Whether a report has something that is not kept as it came. Of a check that passed, that is what its monitor sent as it sent
 * it: most results are of such checks, and a closer look at each would cost more than all else that is done with it. Only what
 * its assertions received of an answer is looked at as that of a failed one is: it is short, and most checks have none.
 */
export function isKeptOtherwise({ result, detail }: BatchResult, secrets: OwnSecrets): boolean {
  if (detail?.answer !== undefined) return true;
  if (result.case !== "http") return false;
  const { requestStatus, headers, body, message } = result.value;
  if ((requestStatus !== "success" && requestStatus !== "active") || body !== "") return true;
  if ([headers, message, ...serversWords(detail)].some((text) => secrets.isPlainlyIn(text)))
    return true;
  return (detail?.evaluations ?? []).some(
    (one) => ofAnswers.has(one.kind) && openReceived(one, secrets) !== one.received,
  );
}

/** The kinds of assertions that receive a server's own words. */
const ofAnswers: ReadonlySet<string> = new Set(["header", "body", "json"]);

/** Of an HTTP check its excerpt is kept in the plain field, as that of a degraded one is. */
function withoutAnswer(detail: CheckDetail): CheckDetail {
  const { answer: _, ...rest } = detail;
  return rest;
}

const serversWords = (detail: CheckDetail | undefined): readonly string[] =>
  detail === undefined
    ? []
    : [
        ...detail.evaluations.map(({ received }) => received),
        ...detail.hops.slice(1).map(({ url }) => url),
        ...[detail.failure, ...detail.attempts.map((one) => one.failure)].map(
          (failure) => failure?.message ?? "",
        ),
      ];

/** What assertions received, and where redirects led, are the server's words, too. The first hop is the monitor's own URL. */
function cutDetail(detail: CheckDetail, secrets: OwnSecrets): CheckDetail {
  const cut = (text: string): string => secrets.cut(text, false);
  return {
    ...detail,
    evaluations: detail.evaluations.map((one) => ({
      ...one,
      received: openReceived(one, secrets) ?? removed,
    })),
    hops: detail.hops.map((hop, index) => (index === 0 ? hop : { ...hop, url: cut(hop.url) })),
    attempts: detail.attempts.map((one) =>
      one.failure === undefined
        ? one
        : { ...one, failure: { ...one.failure, message: cut(one.failure.message) } },
    ),
    ...(detail.failure === undefined
      ? {}
      : { failure: { ...detail.failure, message: cut(detail.failure.message) } }),
  };
}
