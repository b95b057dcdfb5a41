import { failure, type Failure, type FailureCode, type FailurePhase } from "#check/failure";
import type { QueryEnd } from "#probes/resolve/ask-server";
import type { Answer } from "#probes/resolve/dns-message";

/**
 * Why a name has none of the records that were asked for, by the answer that says most: a name that does not
 * exist has no record of any type, an error or a silence leaves open what there is, and an empty answer is the least.
 */
export function lookupFailure(
  asked: readonly QueryEnd[],
  name: string,
  phase: FailurePhase,
): Failure | null {
  const telling =
    asked.find((one) => one.ok && one.answer.rcode === "NXDOMAIN") ??
    asked.find((one) => one.ok && one.answer.rcode !== "NOERROR") ??
    asked.find((one) => !one.ok) ??
    asked[0];
  return telling === undefined ? null : failureOf(telling, name, phase);
}

function failureOf(asked: QueryEnd, name: string, phase: FailurePhase): Failure {
  if (!asked.ok) return failure(asked.code, isOurs(asked.code) ? "agent" : phase, asked.message);
  const from = `${name} (${asked.answer.rcode} from ${asked.server})`;
  switch (asked.answer.rcode) {
    case "NOERROR":
      return failure("dns_nodata", phase, `${withoutRecords(asked.answer)}: ${from}`);
    case "NXDOMAIN":
      return failure("dns_nxdomain", phase, `name does not exist: ${from}`);
    case "SERVFAIL":
      return failure("dns_servfail", phase, `name server could not answer for ${from}`);
    case "REFUSED":
      return failure("dns_refused", phase, `name server refused to answer for ${from}`);
    default:
      return failure("dns_rcode", phase, `name server answered with an error for ${from}`);
  }
}

const isOurs = (code: FailureCode): boolean => code === "cancelled" || code === "agent_error";

/** Only if the answer is about the name itself is it said that the name has nothing. */
function withoutRecords({ records, isReferral }: Answer): string {
  if (isReferral) return "name server only refers to others";
  const last = records.at(-1);
  return last?.type === "CNAME"
    ? `name leads to ${last.value}, and the answer ends there without a record of the types asked`
    : "name has no record of the types asked";
}
