import { holdsForNumber } from "#assertions/number";
import { proven, type Rule } from "#assertions/rule";
import { certificateDaysLeft } from "#check/certificate-left";
import { counted } from "#base/text";

/** The whole days that the certificate has left. An answer that came without one has none. */
export const certificateRule: Rule<"certificate"> = {
  words: ({ comparator, days }) => `certificate days ${comparator} ${days}`,
  judge: ({ comparator, days }, { kind, tls, startedAt, failure }) => {
    if (kind !== "http" || failure !== null) return null;
    const certificate = tls?.certificate ?? null;
    if (certificate === null) return proven(false, "no certificate: the answer came without TLS");
    const left = certificateDaysLeft(certificate, startedAt);
    return proven(holdsForNumber(comparator, left, days), counted(left, "day"));
  },
};
