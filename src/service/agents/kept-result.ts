import type { BatchResult, CheckDetail } from "#contract/private_location/v1/private_location_pb";
import type { OwnSecrets } from "#service/monitors/own-secrets";
import { answerIn, keptFields } from "#service/monitors/server-answer";

/**
 * A report as it is kept. Of what a server answered to an HTTP check that failed or was slow, that is an excerpt; of one that
 * passed, no body. What the monitor itself sent is in neither, if the server sent it back.
 */
export function keptResult(batch: BatchResult, secrets: OwnSecrets): BatchResult {
  if (batch.result.case !== "http") return batch;
  const { value } = batch.result;
  const cut = (text: string): string => secrets.cut(text, false);
  const isWell = value.requestStatus === "success" || value.requestStatus === "active";
  const answer = isWell && !secrets.isIn(value.headers) ? null : answerIn(value, secrets);
  const fields = answer === null ? { headers: value.headers, body: "" } : keptFields(answer);
  const { detail } = batch;
  return {
    ...batch,
    result: {
      case: "http",
      value: { ...value, message: cut(value.message), ...fields, ...(isWell ? { body: "" } : {}) },
    },
    ...(detail === undefined ? {} : { detail: cutDetail(detail, cut) }),
  };
}

/** Whether a report has something that is not kept as it came. */
export function isKeptOtherwise({ result, detail }: BatchResult, secrets: OwnSecrets): boolean {
  if (result.case !== "http") return false;
  const { requestStatus, headers, body } = result.value;
  if ((requestStatus !== "success" && requestStatus !== "active") || body !== "") return true;
  return (
    secrets.isIn(headers) ||
    (detail?.evaluations ?? []).some(({ received }) => secrets.isIn(received)) ||
    (detail?.hops.slice(1) ?? []).some(({ url }) => secrets.isIn(url))
  );
}

/** What assertions received, and where redirects led, are the server's words, too. The first hop is the monitor's own URL. */
const cutDetail = (detail: CheckDetail, cut: (text: string) => string): CheckDetail => ({
  ...detail,
  evaluations: detail.evaluations.map((one) => ({ ...one, received: cut(one.received) })),
  hops: detail.hops.map((hop, index) => (index === 0 ? hop : { ...hop, url: cut(hop.url) })),
  attempts: detail.attempts.map((one) =>
    one.failure === undefined
      ? one
      : { ...one, failure: { ...one.failure, message: cut(one.failure.message) } },
  ),
  ...(detail.failure === undefined
    ? {}
    : { failure: { ...detail.failure, message: cut(detail.failure.message) } }),
});
