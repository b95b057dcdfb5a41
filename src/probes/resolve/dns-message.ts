import { thrownText } from "#base/text";
import * as packet from "dns-packet";
import type { QueryType } from "#check/assertion";
import * as limits from "#limits/probes-limits";
import type { DnsRecord } from "#check/outcome";

/** One question, as it is asked of a server. The name is ASCII, without the trailing dot. */
export interface Question {
  readonly name: string;
  readonly type: QueryType;
}

/** What a server said to one question. */
export interface Answer {
  /** NOERROR, NXDOMAIN, …, RCODE_11 for one without a name. */
  readonly rcode: string;
  /** Records of the asked type on the name's chain, and the CNAMEs that were passed on the way. */
  readonly records: readonly DnsRecord[];
  /** Whether it only names other servers, and says nothing of the name. */
  readonly isReferral: boolean;
}

/** What bytes from the network turned out to be. */
export type Reading =
  | { readonly is: "answer"; readonly answer: Answer }
  /** TC is set: ask again over TCP. */
  | { readonly is: "truncated" }
  /** The answer to another query, or from another server: to be ignored. */
  | { readonly is: "foreign" }
  | { readonly is: "malformed"; readonly why: string };

/** The bytes of a query that asks for recursion; `edns` announces how large a UDP answer may be (RFC 6891). */
export function encodeQuery(id: number, { name, type }: Question, edns: boolean): Buffer {
  return packet.encode({
    type: "query",
    id,
    flags: packet.RECURSION_DESIRED,
    questions: [{ type, name }],
    ...(edns ? { additionals: [optRecord] } : {}),
  });
}

const optRecord: packet.OptAnswer = {
  type: "OPT",
  name: ".",
  udpPayloadSize: limits.dnsUdpPayloadMax,
  extendedRcode: 0,
  ednsVersion: 0,
  flags: 0,
  flag_do: false,
  options: [],
};

/** Reads an answer to `question` that was asked with `id`. Never throws, whatever the bytes. */
export function readAnswer(bytes: Buffer, id: number, question: Question): Reading {
  // RFC 1035 §4.1.1: id, then QR in the top bit of the flags and TC in the second of their first byte.
  if (bytes.length < 2 || bytes.readUInt16BE(0) !== id) return { is: "foreign" };
  if (bytes.length < headerBytes) return malformed("it is shorter than a header");
  const flags = bytes.readUInt8(2);
  if ((flags & 0x80) === 0) return { is: "foreign" };
  const questions = bytes.readUInt16BE(4);
  const rcode = bytes.readUInt8(3) & 0x0f;
  // A server that could not parse the question may leave it out (RFC 1035 leaves it open; BIND and others do).
  if (questions === 0 && rcode !== 0) return answered(rcodeName(rcode, 0), []);
  try {
    if (!asksFor(bytes, question)) return { is: "foreign" };
    if ((flags & 0x02) !== 0) return { is: "truncated" };
    return decode(bytes, question);
  } catch (error) {
    return malformed(whyNot(error));
  }
}

/** A RangeError speaks of Node's buffers: the message says that there is more of itself than came. */
function whyNot(error: unknown): string {
  if (error instanceof RangeError) return "a length in it points past its end";
  return thrownText(error);
}

const headerBytes = 12;

const malformed = (why: string): Reading => ({ is: "malformed", why });
const answered = (
  rcode: string,
  records: readonly DnsRecord[],
  isReferral: boolean = false,
): Reading => ({
  is: "answer",
  answer: { rcode, records, isReferral },
});

/** Whether the message's one question is ours; compared without case, which servers may change (0x20). */
function asksFor(bytes: Buffer, { name, type }: Question): boolean {
  if (bytes.readUInt16BE(4) !== 1) return false;
  if (repeats(bytes, name, typeNumbers[type])) return true;
  // Only the question is read: what follows may be cut off.
  const head = Buffer.from(bytes).fill(0, 6, headerBytes);
  const [asked] = packet.decode(head).questions ?? [];
  return asked?.type === type && asked.class === "IN" && sameName(asked.name, name);
}

/** Whether the question stands there letter by letter as we ask it, which is how most servers give it back. */
function repeats(bytes: Buffer, name: string, type: number): boolean {
  const end = headerBytes + 1 + name.length;
  if (bytes.length < end + 5 || bytes.readUInt8(end) !== 0) return false;
  let labelEnd = headerBytes;
  for (let at = headerBytes; at < end; at += 1)
    if (at === labelEnd) {
      const length = bytes.readUInt8(at);
      const isDotted = at === headerBytes || name.codePointAt(at - headerBytes - 1) === dot;
      if (!isDotted || length === 0 || length > limits.dnsLabelCharsMax) return false;
      labelEnd = at + 1 + length;
    } else if (bytes.readUInt8(at) !== name.codePointAt(at - headerBytes - 1)) return false;
  return (
    labelEnd === end && bytes.readUInt16BE(end + 1) === type && bytes.readUInt16BE(end + 3) === 1
  );
}

const dot = 0x2e;

/**
 * The decoder takes lengths on trust and knows every type's data, which is more than is wanted of a stranger: so the
 * lengths are checked against the message first, and what was not asked for is hidden from it.
 */
function decode(bytes: Buffer, question: Question): Reading {
  const answersFrom = nameEnd(bytes, headerBytes) + 4;
  const answers = placesOf(bytes, answersFrom, bytes.readUInt16BE(6));
  const restFrom = answers.at(-1)?.end ?? answersFrom;
  const rest = placesOf(bytes, restFrom, bytes.readUInt16BE(8) + bytes.readUInt16BE(10));
  if (![...answers, ...rest].every((place) => place.end <= bytes.length && dataFits(bytes, place)))
    return malformed("the length of a record is wrong");

  const opt = rest.find(({ type }) => type === typeNumbers.OPT);
  const rcode = rcodeName(
    bytes.readUInt8(3) & 0x0f,
    // RFC 6891 §6.1.3: the upper eight bits of the code stand where other records have their time to live.
    opt === undefined ? 0 : bytes.readUInt8(opt.typeAt + 4),
  );
  const authority = rest.slice(0, bytes.readUInt16BE(8));
  if (rcode === "NOERROR" && answers.length === 0 && refers(authority))
    return answered(rcode, [], true);
  return followed(packet.decode(onlyAnswers(bytes, answers)).answers ?? [], question, rcode);
}

/** RFC 2308 §2.2: servers are named, and not the zone's beginning, with which a server says that there is no record. */
const refers = (authority: readonly Place[]): boolean =>
  authority.some(({ type }) => type === typeNumbers.NS) &&
  !authority.some(({ type }) => type === typeNumbers.SOA);

/** Where a record's parts lie in the message. */
interface Place {
  readonly typeAt: number;
  readonly type: number;
  readonly internet: boolean;
  readonly dataAt: number;
  readonly end: number;
}

/** RFC 1035 §4.1.3 and §3.3. Reading past the end throws, which is as good as a no. */
function placesOf(bytes: Buffer, from: number, count: number): readonly Place[] {
  const places: Place[] = [];
  for (let at = from; places.length < count; at = places.at(-1)?.end ?? at) {
    const typeAt = nameEnd(bytes, at);
    const dataAt = typeAt + 10;
    places.push({
      typeAt,
      type: bytes.readUInt16BE(typeAt),
      internet: bytes.readUInt16BE(typeAt + 2) === 1,
      dataAt,
      end: dataAt + bytes.readUInt16BE(typeAt + 8),
    });
  }
  return places;
}

/** RFC 1035 §3.3 and §3.4, RFC 3596: whether the data of a known type is as long as it says. */
function dataFits(bytes: Buffer, { type, dataAt, end }: Place): boolean {
  switch (type) {
    case typeNumbers.A:
      return end - dataAt === 4;
    case typeNumbers.AAAA:
      return end - dataAt === 16;
    case typeNumbers.CNAME:
    case typeNumbers.NS:
      return nameEnd(bytes, dataAt) === end;
    case typeNumbers.MX:
      return nameEnd(bytes, dataAt + 2) === end;
    // The decoder holds a text's chunks against its length, and the rest is not looked into.
    default:
      return true;
  }
}

const typeNumbers = { A: 1, NS: 2, CNAME: 5, SOA: 6, NULL: 10, MX: 15, TXT: 16, AAAA: 28, OPT: 41 };
const readTypes: ReadonlySet<number> = new Set([
  typeNumbers.A,
  typeNumbers.NS,
  typeNumbers.CNAME,
  typeNumbers.MX,
  typeNumbers.TXT,
  typeNumbers.AAAA,
]);

/**
 * A copy that ends with the answers, in which every record that is not of a known type becomes an opaque one (RFC 1035
 * §3.3.10): nothing moves, so compressed names still point to where they did.
 */
function onlyAnswers(bytes: Buffer, answers: readonly Place[]): Buffer {
  const copy = Buffer.from(bytes).fill(0, 8, headerBytes);
  for (const { typeAt, type, internet } of answers)
    if (!internet || !readTypes.has(type)) copy.writeUInt16BE(typeNumbers.NULL, typeAt);
  return copy;
}

/** RFC 1035 §4.1.4: a name ends with an empty label or with a pointer of two bytes. */
function nameEnd(bytes: Buffer, from: number): number {
  let at = from;
  for (;;) {
    const length = bytes.readUInt8(at);
    if (length === 0) return at + 1;
    if (length >= 0xc0) return at + 2;
    at += 1 + length;
  }
}

/** Follows the CNAMEs from the asked name to the records of the asked type. */
function followed(answers: readonly packet.Answer[], question: Question, rcode: string): Reading {
  const passed: DnsRecord[] = [];
  let name = question.name;
  while (passed.length <= limits.dnsCnamesMax) {
    const found = answers.filter(
      (answer) => sameName(answer.name, name) && answer.type === question.type,
    );
    if (found.length > 0) return answered(rcode, [...passed, ...found.flatMap(recordOf)]);
    const alias = answers.find((answer) => answer.type === "CNAME" && sameName(answer.name, name));
    if (alias === undefined || alias.type !== "CNAME") return answered(rcode, passed);
    name = alias.data;
    const visited = [question.name, ...passed.map(({ value }) => value)];
    if (visited.some((other) => sameName(other, name))) return malformed("its CNAMEs form a loop");
    passed.push({ type: "CNAME", value: withDot(name) });
  }
  return malformed(`more than ${limits.dnsCnamesMax} CNAMEs follow each other`);
}

function recordOf(answer: packet.Answer): readonly DnsRecord[] {
  switch (answer.type) {
    case "A":
    case "AAAA":
      return [{ type: answer.type, value: answer.data }];
    case "CNAME":
    case "NS":
      return [{ type: answer.type, value: withDot(answer.data) }];
    case "MX":
      return [
        { type: "MX", value: `${withDot(answer.data.exchange)}:${answer.data.preference ?? 0}` },
      ];
    case "TXT":
      return [{ type: "TXT", value: joinedText(answer.data) }];
    // Every other type is one that no question asked for.
    default:
      return [];
  }
}

/** RFC 1035 §3.3.14: a text record is a sequence of strings, which readers such as SPF join without a space. */
function joinedText(chunks: packet.TxtData): string {
  const list = Array.isArray(chunks) ? chunks : [chunks];
  return Buffer.concat(list.map((chunk) => Buffer.from(chunk))).toString("utf8");
}

const withDot = (name: string): string => (name.endsWith(".") ? name : `${name}.`);

const sameName = (a: string, b: string): boolean =>
  a.replace(/\.$/, "").toLowerCase() === b.replace(/\.$/, "").toLowerCase();

/** RFC 1035 §4.1.1, RFC 2136 §2.2 and RFC 6891 §9. */
const rcodes: Readonly<Record<number, string>> = {
  0: "NOERROR",
  1: "FORMERR",
  2: "SERVFAIL",
  3: "NXDOMAIN",
  4: "NOTIMP",
  5: "REFUSED",
  6: "YXDOMAIN",
  7: "YXRRSET",
  8: "NXRRSET",
  9: "NOTAUTH",
  10: "NOTZONE",
  16: "BADVERS",
};

function rcodeName(low: number, extended: number): string {
  const code = (extended << 4) | low;
  return rcodes[code] ?? `RCODE_${code}`;
}
