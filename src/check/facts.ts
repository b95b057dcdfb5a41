import type { Detail, Fact } from "#check/fact";
import { certificateLeft } from "#check/certificate-left";
import { evidenceFacts } from "#check/evidence-words";
import type { KindEntry } from "#check/kinds/kind-entry";
import { kindTable } from "#check/kinds/kind-table";
import { measured } from "#check/kinds/measured";
import type { Kind } from "#check/monitor";
import type { PlaceEvidence } from "#check/place-evidence";
import { placeFacts } from "#check/place-words";
import type {
  AddressAttempt,
  CertificateFacts,
  Outcome,
  OutcomeOf,
  TlsFacts,
} from "#check/outcome";
import { showHostPort } from "#network/host-port";
import { type EpochMillis, type Nanos, nanosToMillis } from "#base/units";

/**
 * What an attempt saw: the answer, the addresses that were tried, and the peer's TLS and certificate; of one that failed
 * also the evidence.
 */
export const factsOf = (
  outcome: Outcome,
  detail: Detail,
  place: PlaceEvidence | null,
): readonly Fact[] => [
  ...answerFacts(outcome.kind, outcome, detail),
  // The answer of a ping has its address, and it has no port.
  ...(outcome.kind === "icmp" ? [] : addressFacts(outcome, detail)),
  ...(outcome.evidence === null ? [] : evidenceFacts(outcome.evidence)),
  ...(place === null ? [] : placeFacts(place)),
  ...(outcome.tls === null ? [] : tlsFacts(outcome.tls, outcome.startedAt, detail)),
];

function answerFacts<K extends Kind>(
  kind: K,
  outcome: OutcomeOf<K>,
  detail: Detail,
): readonly Fact[] {
  const entry: KindEntry<K> = kindTable[kind];
  return entry.facts(outcome, detail);
}

const addressFacts = (outcome: Outcome, detail: Detail): readonly Fact[] =>
  detail === "full" ? outcome.addresses.map(addressFact) : briefAddress(outcome);

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
    {
      label: "Address",
      value: `${showHostPort(shown.address, shown.port)} ${ended} after ${inMillis(shown.elapsed)}${more}`,
    },
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
