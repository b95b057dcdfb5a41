import * as packet from "dns-packet";
import type { QueryType } from "#assertion";
import * as limits from "#limits";
import type { DnsRecord } from "#outcome";

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
}

/** What bytes from the network turned out to be. */
export type Reading =
  | { readonly is: "answer"; readonly answer: Answer }
  /** TC is set: ask again over TCP. */
  | { readonly is: "truncated" }
  /** Another query's answer, or somebody else's: to be ignored. */
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
    return malformed(Error.isError(error) ? error.message : String(error));
  }
}

const headerBytes = 12;

const malformed = (why: string): Reading => ({ is: "malformed", why });
const answered = (rcode: string, records: readonly DnsRecord[]): Reading => ({
  is: "answer",
  answer: { rcode, records },
});

/** Whether the message's one question is ours; compared without case, which servers may change (0x20). */
function asksFor(bytes: Buffer, question: Question): boolean {
  if (bytes.readUInt16BE(4) !== 1) return false;
  // Only the question is read: what follows may be cut off.
  const head = Buffer.from(bytes).fill(0, 6, headerBytes);
  const [asked] = packet.decode(head).questions ?? [];
  return asked !== undefined && asked.type === question.type && sameName(asked.name, question.name);
}

function decode(bytes: Buffer, question: Question): Reading {
  if (!lengthsFit(bytes)) return malformed("a record is longer than the message");
  const message = packet.decode(bytes);
  const opt = message.additionals?.find((record) => record.type === "OPT");
  const extended = opt?.type === "OPT" ? opt.extendedRcode : 0;
  const rcode = rcodeName(bytes.readUInt8(3) & 0x0f, extended);
  const records = chainRecords(message.answers ?? [], question);
  return records === null ? malformed("its CNAMEs form a loop") : answered(rcode, records);
}

/**
 * Walks over all that the header counts by its lengths alone, which the decoder takes on trust. Reading past the end
 * throws, which is as good as a no.
 */
function lengthsFit(bytes: Buffer): boolean {
  const [questions, ...sections] = [4, 6, 8, 10].map((at) => bytes.readUInt16BE(at));
  let at = headerBytes;
  for (let left = questions ?? 0; left > 0; left -= 1) at = nameEnd(bytes, at) + 4;
  const records = sections.reduce((sum, count) => sum + count, 0);
  for (let left = records; left > 0; left -= 1) {
    const fixed = nameEnd(bytes, at);
    at = fixed + 10 + bytes.readUInt16BE(fixed + 8);
    if (at > bytes.length) return false;
  }
  return true;
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

/** Follows the CNAMEs from the asked name to the records of the asked type; null when they do not end. */
function chainRecords(
  answers: readonly packet.Answer[],
  question: Question,
): readonly DnsRecord[] | null {
  const passed: DnsRecord[] = [];
  let name = question.name;
  for (let links = 0; links <= limits.dnsCnamesMax; links += 1) {
    const found = answers.filter(
      (answer) => sameName(answer.name, name) && answer.type === question.type,
    );
    if (found.length > 0) return [...passed, ...found.flatMap(recordOf)];
    const alias = answers.find((answer) => answer.type === "CNAME" && sameName(answer.name, name));
    if (alias === undefined || alias.type !== "CNAME") return passed;
    passed.push({ type: "CNAME", value: withDot(alias.data) });
    name = alias.data;
  }
  return null;
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

const rcodes = ["NOERROR", "FORMERR", "SERVFAIL", "NXDOMAIN", "NOTIMP", "REFUSED"];

/** RFC 6891 §6.1.3: OPT carries the upper eight bits of the code. */
function rcodeName(low: number, extended: number): string {
  const code = (extended << 4) | low;
  return rcodes[code] ?? `RCODE_${code}`;
}
