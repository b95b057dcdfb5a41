import { certificateLeft } from "#check/certificate-left";
import * as limits from "#limits";
import type { DnsOutcome, HttpOutcome, Outcome, TlsFacts } from "#check/outcome";
import { showHostPort } from "#network/host-port";
import { cutText } from "#text";
import type { EpochMillis } from "#units";

/** One thing that a check saw, as a person reads it. */
export interface Fact {
  readonly label: string;
  /** May hold what the peer sent: never markup of ours. */
  readonly value: string;
}

/** What an attempt saw, in a few short lines that share no memory with it. */
export function factsOf(outcome: Outcome): readonly Fact[] {
  const facts = [
    ...answerFacts(outcome),
    ...addressFacts(outcome),
    ...(outcome.tls === null ? [] : tlsFacts(outcome.tls, outcome.startedAt)),
  ];
  return facts.map(({ label, value }) => ({ label, value: ownCopy(value) }));
}

function answerFacts(outcome: Outcome): readonly Fact[] {
  switch (outcome.kind) {
    case "http":
      return httpFacts(outcome);
    case "tcp":
      return [];
    case "dns":
      return dnsFacts(outcome);
  }
}

function httpFacts({ response, hops }: HttpOutcome): readonly Fact[] {
  const facts: Fact[] = [];
  if (response !== null) {
    const size = `${response.body.length} bytes${response.bodyCut ? " read, more came" : ""}`;
    const value = `HTTP/${response.version} ${response.statusCode}, ${size}`;
    facts.push({ label: "Answer", value });
  }
  const last = hops.at(-1);
  if (last !== undefined && hops.length > 1)
    facts.push({ label: "Redirected", value: `${hops.length - 1} times, to ${last.url}` });
  return facts;
}

/** More records than this are counted, not shown. */
const recordsShown = 3;

function dnsFacts({ server, rcode, transport, records }: DnsOutcome): readonly Fact[] {
  const facts: Fact[] = [];
  if (server !== null) {
    const over = transport === null ? "" : ` over ${transport.toUpperCase()}`;
    facts.push({ label: "Answer", value: `${rcode ?? "none"} from ${server}${over}` });
  }
  const shown = records.slice(0, recordsShown).map(({ type, value }) => `${type} ${value}`);
  const more = records.length - shown.length;
  if (more > 0) shown.push(`${more} more`);
  if (shown.length > 0) facts.push({ label: "Records", value: shown.join(", ") });
  return facts;
}

function addressFacts({ addresses }: Outcome): readonly Fact[] {
  const shown = addresses.find(({ ended }) => ended === "connected") ?? addresses.at(-1);
  if (shown === undefined) return [];
  const others = addresses.length - 1;
  const more = others === 0 ? "" : `, ${others} more tried`;
  const ended = shown.ended.replaceAll("_", " ");
  const value = `${showHostPort(shown.address, shown.port)} ${ended}${more}`;
  return [{ label: "Address", value }];
}

function tlsFacts({ protocol, alpn, certificate }: TlsFacts, now: EpochMillis): readonly Fact[] {
  const value = [protocol, alpn].filter((part) => part !== null).join(", ");
  const facts: Fact[] = value === "" ? [] : [{ label: "TLS", value }];
  if (certificate !== null) {
    const left = certificateLeft(certificate, now);
    facts.push({ label: "Certificate", value: `${left}, ${certificate.subject}` });
  }
  return facts;
}

/** A slice of a text keeps all of it in memory, and a TXT record may have 64 KiB: this is a text of its own. */
const ownCopy = (text: string): string =>
  Buffer.from(cutText(text, limits.keptFactCharsMax)).toString();
