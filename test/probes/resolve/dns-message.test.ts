import packet from "dns-packet";
import { array, assert, nat, oneof, property, record, tuple, uint8Array } from "fast-check";
import { describe, expect, test } from "vitest";
import { encodeQuery, type Question, readAnswer, type Reading } from "#probes/resolve/dns-message";

const question: Question = { name: "a.test", type: "A" };
const id = 0x1234;

/** A message from its parts in hexadecimal; spaces only for the reader. */
const hex = (...parts: readonly string[]): Buffer =>
  Buffer.from(parts.join("").replaceAll(" ", ""), "hex");

// "a.test", type A, class IN; it begins at byte 12, which is what the pointer c00c says.
const asked = "01 61 04 74657374 00 0001 0001";
const address = "c00c 0001 0001 0000003c 0004 0a000001";
const header = (counts: string, flags = "8180"): string => `1234 ${flags} ${counts}`;

const read = (...parts: readonly string[]): Reading => readAnswer(hex(...parts), id, question);
const answered = (rcode: string, ...values: readonly string[]): Reading => ({
  is: "answer",
  answer: {
    rcode,
    records: values.map((value) => ({ type: value.endsWith(".") ? "CNAME" : "A", value })),
    isReferral: false,
  },
});

describe("a query", () => {
  test("asks for recursion, and announces 1232 bytes by EDNS", () => {
    expect(encodeQuery(id, question, true)).toEqual(
      hex("1234 0100 0001 0000 0000 0001", asked, "00 0029 04d0 00000000 0000"),
    );
  });
  test("is without the OPT record where EDNS is not understood", () => {
    expect(encodeQuery(id, question, false)).toEqual(hex("1234 0100 0001 0000 0000 0000", asked));
  });
});

describe("an answer", () => {
  test("is read to the byte", () => {
    expect(read(header("0001 0001 0000 0000"), asked, address)).toEqual(
      answered("NOERROR", "10.0.0.1"),
    );
  });
  test("may answer in another case than the question's (0x20)", () => {
    expect(read(header("0001 0001 0000 0000"), "01 41 04 54455354 00 0001 0001", address)).toEqual(
      answered("NOERROR", "10.0.0.1"),
    );
  });
  test("has the upper bits of its code in the OPT record", () => {
    expect(read(header("0001 0000 0000 0001"), asked, "00 0029 04d0 01000000 0000")).toEqual(
      answered("BADVERS"),
    );
  });
  test("may leave the question out if it could not parse it, but not if it has answers", () => {
    expect(read(header("0000 0000 0000 0000", "8181"))).toEqual(answered("FORMERR"));
    expect(read(header("0000 0000 0000 0000"))).toEqual({ is: "foreign" });
  });
  test("follows aliases in any order, and leaves out what belongs to other names and classes", () => {
    const alias = "c00c 0005 0001 0000003c 0004 01 62 c00e";
    const behind = "01 62 c00e 0001 0001 0000003c 0004 0a000002";
    const stranger = "01 63 c00e 0001 0001 0000003c 0004 0a000003";
    const chaos = "01 62 c00e 0001 0003 0000003c 0004 0a000004";
    expect(read(header("0001 0004 0000 0000"), asked, chaos, stranger, behind, alias)).toEqual(
      answered("NOERROR", "b.test.", "10.0.0.2"),
    );
  });
  test("is not spoilt by records of types that were not asked for, in any section", () => {
    // An RRSIG, a key and an option whose insides are nonsense, with honest lengths.
    const nonsense = (type: string): string => `c00c ${type} 0001 0000003c 0003 ffffff`;
    expect(
      read(
        header("0001 0002 0001 0001"),
        asked,
        nonsense("002e"),
        address,
        nonsense("0030"),
        "00 0029 04d0 00000000 0003 ffffff",
      ),
    ).toEqual(answered("NOERROR", "10.0.0.1"));
  });
  test("joins the strings of a text, and replaces bytes that are not UTF-8", () => {
    const message = hex(
      header("0001 0001 0000 0000"),
      "01 61 04 74657374 00 0010 0001",
      "c00c 0010 0001 0000003c 0007 02 6869 00 02 21ff",
    );
    expect(readAnswer(message, id, { name: "a.test", type: "TXT" })).toEqual({
      is: "answer",
      answer: {
        rcode: "NOERROR",
        records: [{ type: "TXT", value: "hi!\ufffd" }],
        isReferral: false,
      },
    });
  });
  test("writes IPv6 addresses in their canonical form (RFC 5952)", () => {
    const message = hex(
      header("0001 0001 0000 0000"),
      "01 61 04 74657374 00 001c 0001",
      "c00c 001c 0001 0000003c 0010 20010db8000000000001000000000001",
    );
    expect(readAnswer(message, id, { name: "a.test", type: "AAAA" })).toEqual({
      is: "answer",
      answer: {
        rcode: "NOERROR",
        records: [{ type: "AAAA", value: "2001:db8::1:0:0:1" }],
        isReferral: false,
      },
    });
  });
});

describe("an answer without records", () => {
  const servers = "c00e 0002 0001 0000003c 0005 026e73 c00e";
  const beginning =
    "c00e 0006 0001 0000003c 001a 026e73 c00e 00 00000001 00000001 00000001 00000001 00000001";
  test.each([
    ["is a referral where only servers are named", "0001 0000 0001 0000", [servers], true],
    [
      "is none where the zone's beginning stands beside them",
      "0001 0000 0002 0000",
      [servers, beginning],
      false,
    ],
    ["is none where nothing is named", "0001 0000 0000 0000", [], false],
    ["is none where servers are only added", "0001 0000 0000 0001", [servers], false],
  ])("%s (RFC 2308)", (_title, counts, records, isReferral) => {
    expect(read(header(counts), asked, ...records)).toEqual({
      is: "answer",
      answer: { rcode: "NOERROR", records: [], isReferral },
    });
  });
});

describe("not an answer", () => {
  const foreign: Record<string, readonly string[]> = {
    "another id": ["1235 8180 0001 0001 0000 0000", asked, address],
    "a query": [header("0001 0000 0000 0000", "0100"), asked],
    "another name": [header("0001 0001 0000 0000"), "01 62 04 74657374 00 0001 0001", address],
    "another type": [header("0001 0001 0000 0000"), "01 61 04 74657374 00 001c 0001", address],
    "another class": [header("0001 0001 0000 0000"), "01 61 04 74657374 00 0001 0003", address],
    "two questions": [header("0002 0000 0000 0000"), asked, asked],
    "a single byte": ["12"],
  };
  test.each(Object.entries(foreign))("is %s: ignored", (_name, parts) => {
    expect(read(...parts)).toEqual({ is: "foreign" });
  });

  const malformed: Record<string, readonly string[]> = {
    "shorter than its header": ["1234 8180 0001"],
    "a question cut off": [header("0001 0000 0000 0000"), "01 61 04 7465"],
    "a count larger than the message": [header("0001 ffff 0000 0000"), asked, address],
    "an additional count larger than the message": [header("0001 0001 0000 ffff"), asked, address],
    "a length past the end": [
      header("0001 0001 0000 0000"),
      asked,
      "c00c 0001 0001 0000003c ea60 0a000001",
    ],
    "an address of three bytes": [
      header("0001 0001 0000 0000"),
      asked,
      "c00c 0001 0001 0000003c 0003 0a0000",
    ],
    "an alias longer than its length": [
      header("0001 0001 0000 0000"),
      asked,
      "c00c 0005 0001 0000003c 0001 01 62 c00e",
    ],
    "a text whose string is longer than the text": [
      header("0001 0001 0000 0000"),
      asked,
      "c00c 0010 0001 0000003c 0003 09 6869",
    ],
    "a name that points to itself": [
      header("0001 0001 0000 0000"),
      asked,
      "c018 0001 0001 0000003c 0004 0a000001",
    ],
    "a name that points forward": [
      header("0001 0001 0000 0000"),
      asked,
      "c01a 0001 0001 0000003c 0004 0a000001",
    ],
    "a label of a kind that does not exist": [
      header("0001 0001 0000 0000"),
      asked,
      "80 61 00 0001 0001 0000003c 0004 0a000001",
    ],
  };
  test.each(Object.entries(malformed))("is %s: malformed", (_name, parts) => {
    expect(read(...parts)).toEqual({
      is: "malformed",
      // The words of the parser about the message, never those of Node about its buffers.
      why: expect.not.stringMatching(/offset|out of range|Received/),
    });
  });
  const chain = (length: number): Reading =>
    readAnswer(
      packet.encode({
        type: "response",
        id,
        questions: [{ type: "A", name: "n0.test" }],
        answers: [
          ...Array.from({ length }, (_, n): packet.Answer => ({
            type: "CNAME",
            name: `n${n}.test`,
            data: `n${n + 1}.test`,
          })),
          { type: "A", name: `n${length}.test`, data: "10.0.0.1" },
        ],
      }),
      id,
      { name: "n0.test", type: "A" },
    );
  test("is a chain of aliases that is longer than any honest one, and it is not called a loop", () => {
    expect(chain(32)).toMatchObject({ is: "answer" });
    expect(chain(33)).toEqual({
      is: "malformed",
      why: "more than 32 CNAMEs follow each other",
    });
  });
  test("is an alias of itself, whatever the case, and a circle that begins behind the name", () => {
    const alias = (name: string, data: string): packet.Answer => ({ type: "CNAME", name, data });
    for (const answers of [
      [alias("a.test", "A.TEST")],
      [alias("a.test", "b.test"), alias("b.test", "c.test"), alias("c.test", "B.test")],
    ]) {
      const questions = [{ type: "A", name: "a.test" } as const];
      const message = packet.encode({ type: "response", id, questions, answers });
      expect(readAnswer(message, id, question)).toEqual({
        is: "malformed",
        why: "its CNAMEs form a loop",
      });
    }
  });
  test("is what was cut off: it is said to be truncated before anything else is read", () => {
    expect(read(header("0001 0009 0000 0000", "8380"), asked)).toEqual({ is: "truncated" });
  });
});

describe("bytes from the network", () => {
  const good = packet.encode({
    type: "response",
    id,
    flags: packet.RECURSION_DESIRED,
    questions: [{ type: "A", name: "a.test" }],
    answers: [
      { type: "CNAME", name: "a.test", data: "b.test" },
      { type: "A", name: "b.test", data: "10.0.0.1" },
      { type: "TXT", name: "b.test", data: ["one", "two"] },
      { type: "MX", name: "b.test", data: { exchange: "m.test", preference: 5 } },
    ],
    additionals: [{ type: "AAAA", name: "m.test", data: "2001:db8::1" }],
  });
  const kinds = ["answer", "truncated", "foreign", "malformed"];
  test("never make the reader throw, however a good message is changed", () => {
    assert(
      property(
        record({
          changes: array(tuple(nat(good.length - 1), nat(255)), { maxLength: 12 }),
          length: oneof(
            nat(good.length),
            nat(0).map(() => good.length),
          ),
        }),
        ({ changes, length }) => {
          const bytes = Buffer.from(good.subarray(0, length));
          // The id and the answer bit stay, or nearly every message would only be ignored.
          for (const [at, value] of changes) if (at > 2 && at < length) bytes[at] = value;
          expect(kinds).toContain(readAnswer(bytes, id, question).is);
        },
      ),
      { numRuns: 5_000 },
    );
  });
  test("never make the reader throw, whatever follows a good header", () => {
    assert(
      property(uint8Array({ maxLength: 600 }), (rest) => {
        const bytes = Buffer.concat([hex(header("0001 0003 0002 0001"), asked), rest]);
        expect(kinds).toContain(readAnswer(bytes, id, question).is);
      }),
      { numRuns: 5_000 },
    );
  });
  test("are read in one pass, also when a full message is nothing but pointers", () => {
    const count = 5_000;
    const message = Buffer.concat([
      hex(header("0001 1388 0000 0000"), asked),
      ...Array.from({ length: count }, () => hex("c00c 0005 0001 00000000 0002 c00c")),
    ]);
    // Every one of them says that the name is its own alias.
    expect(readAnswer(message.subarray(0, 65_535), id, question)).toEqual({
      is: "malformed",
      why: expect.any(String),
    });
  });
});
