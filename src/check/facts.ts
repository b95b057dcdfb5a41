import type { Fact } from "#check/fact";
import { certificateLeft } from "#check/certificate-left";
import { evidenceFacts } from "#check/evidence-words";
import type { PlaceEvidence } from "#check/place-evidence";
import { placeFacts } from "#check/place-words";
import type {
  AddressAttempt,
  CertificateFacts,
  DnsOutcome,
  HttpOutcome,
  Outcome,
  TlsFacts,
} from "#check/outcome";
import { showHostPort } from "#network/host-port";
import { counted } from "#base/text";
import { type EpochMillis, type Nanos, nanosToMillis } from "#base/units";

/** `brief` is a few short lines for a page; `full` is everything, for a person who looks at one check. */
export type Detail = "brief" | "full";

/**
 * What an attempt saw: the answer, the addresses that were tried, and the peer's TLS and certificate; of one that failed
 * also the evidence.
 */
export const factsOf = (
  outcome: Outcome,
  detail: Detail,
  place: PlaceEvidence | null,
): readonly Fact[] => [
  ...answerFacts(outcome, detail),
  ...(detail === "full" ? outcome.addresses.map(addressFact) : briefAddress(outcome)),
  ...(outcome.evidence === null ? [] : evidenceFacts(outcome.evidence)),
  ...(place === null ? [] : placeFacts(place)),
  ...(outcome.tls === null ? [] : tlsFacts(outcome.tls, outcome.startedAt, detail)),
];

function answerFacts(outcome: Outcome, detail: Detail): readonly Fact[] {
  switch (outcome.kind) {
    case "http":
      return httpFacts(outcome);
    case "tcp":
      return [];
    case "dns":
      return dnsFacts(outcome, detail);
  }
}

function httpFacts({ response, hops }: HttpOutcome): readonly Fact[] {
  const facts: Fact[] = [];
  if (response !== null) {
    const { version, statusCode, bodyBytes, bodyCut, informational } = response;
    const size = `${counted(bodyBytes, "byte")}${bodyCut ? " read, which is not the whole body" : ""}`;
    const interim = informational.length === 0 ? "" : `, after ${informational.join(", ")}`;
    facts.push({ label: "Answer", value: `HTTP/${version} ${statusCode}, ${size}${interim}` });
  }
  const last = hops.at(-1);
  if (last !== undefined && hops.length > 1)
    facts.push({
      label: "Redirected",
      value: `${counted(hops.length - 1, "time")}, to ${last.url}`,
    });
  return facts;
}

/** In brief, more records than this are counted, not shown. */
const recordsShown = 3;

function dnsFacts(
  { server, rcode, transport, measuredBy, records }: DnsOutcome,
  detail: Detail,
): readonly Fact[] {
  const facts: Fact[] = [];
  if (server !== null) {
    const over = transport === null ? "" : ` over ${transport.toUpperCase()}`;
    const value = `${rcode ?? "none"} from ${server}${over}${measured(measuredBy, detail)}`;
    facts.push({ label: "Answer", value });
  }
  const values = records.map(({ type, value }) => `${type} ${value}`);
  if (detail === "full")
    return [...facts, ...values.map((value): Fact => ({ label: "Record", value }))];
  const more = values.length - recordsShown;
  const shown = [...values.slice(0, recordsShown), ...(more > 0 ? [`${more} more`] : [])];
  if (shown.length > 0) facts.push({ label: "Records", value: shown.join(", ") });
  return facts;
}

const measured = (by: string | null, detail: Detail): string =>
  by === null || detail === "brief" ? "" : `, measured by the ${by}`;

const addressFact = ({ address, port, ended, elapsed, measuredBy }: AddressAttempt): Fact => ({
  label: "Address",
  value: `${showHostPort(address, port)} ${ended.replaceAll("_", " ")} after ${inMillis(elapsed)}${measured(measuredBy, "full")}`,
});

/** The address that was connected to, or the last one that was tried. */
function briefAddress({ addresses }: Outcome): readonly Fact[] {
  const shown = addresses.find(({ ended }) => ended === "connected") ?? addresses.at(-1);
  if (shown === undefined) return [];
  const others = addresses.length - 1;
  const more = others === 0 ? "" : `, ${others} more tried`;
  const ended = shown.ended.replaceAll("_", " ");
  return [
    { label: "Address", value: `${showHostPort(shown.address, shown.port)} ${ended}${more}` },
  ];
}

function tlsFacts(
  { protocol, cipher, alpn, certificate }: TlsFacts,
  now: EpochMillis,
  detail: Detail,
): readonly Fact[] {
  const value = [protocol, detail === "full" ? cipher : null, alpn]
    .filter((part) => part !== null)
    .join(", ");
  const facts: Fact[] = value === "" ? [] : [{ label: "TLS", value }];
  if (certificate === null) return facts;
  const left = certificateLeft(certificate, now);
  facts.push({ label: "Certificate", value: `${left}, ${certificate.subject}` });
  return detail === "full" ? [...facts, ...certificateFacts(certificate)] : facts;
}

/** Shown also when it was refused: most of all then. */
const certificateFacts = ({
  altNames,
  issuer,
  validFrom,
  validTo,
  chain,
}: CertificateFacts): readonly Fact[] => [
  { label: "Names", value: altNames.length === 0 ? "none" : altNames.join(", ") },
  {
    label: "Valid",
    value: `from ${new Date(validFrom).toISOString()} until ${new Date(validTo).toISOString()}`,
  },
  { label: "Issued by", value: issuer },
  { label: "Chain", value: chain.join(" ← ") },
];

const inMillis = (duration: Nanos): string => `${nanosToMillis(duration).toFixed(3)} ms`;
