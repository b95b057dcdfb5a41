import { array, assert, constantFrom, nat, property, record } from "fast-check";
import { describe, expect, test } from "vitest";
import { ResponseParser } from "#network/http/response-parser";

/** What a parser read of bytes that came in these pieces, and what it says of them. */
function read(pieces: readonly Uint8Array[], method = "GET"): object {
  const seen: unknown[] = [];
  let body = "";
  const parser = new ResponseParser(method, {
    onHeadBegan: () => seen.push("head began"),
    onInterim: (statusCode) => seen.push(statusCode),
    onHead: ({ statusCode, version, headers }, codings) =>
      seen.push({ statusCode, version, headers, codings }),
    onBody: (bytes, from, to) => {
      body += Buffer.from(bytes.subarray(from, to)).toString("latin1");
    },
    onWhole: () => seen.push("whole"),
  });
  let fault = null;
  for (const piece of pieces) fault = parser.push(piece);
  parser.end();
  return { seen, body, fault };
}

const readText = (text: string, method = "GET"): object =>
  read([Buffer.from(text, "latin1")], method);

const why = (text: string): unknown => {
  const { fault } = readText(text) as { fault: { why?: string; code: string } | null };
  return fault?.why ?? fault?.code ?? null;
};

const head = "HTTP/1.1 200 OK\r\n";
const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n`;

describe("what is refused, and in which words", () => {
  const refused: Record<string, readonly [text: string, words: string]> = {
    "a banner": ["220 mail.test ESMTP\r\n", "it does not begin with HTTP/1"],
    "an alert of TLS": [
      "\x15\x03\x01",
      "it is an alert of TLS, which the peer speaks on this port",
    ],
    "HTTP/2 unasked": ["HTTP/2 200\r\n", "it has a version of HTTP that was not asked for"],
    "no status": ["HTTP/1.1 OK\r\n", "its first line is not a status line"],
    "a status below 100": [
      "HTTP/1.1 099 X\r\n\r\n",
      "it has the status 099, and none is below 100",
    ],
    "a 101": ["HTTP/1.1 101 X\r\n\r\n", "it changes to a protocol that was not asked for"],
    "no colon": [`${head}broken\r\n`, "a header line has no colon"],
    "a space before a colon": [`${head}A : b\r\n`, "a header line has a space before its colon"],
    "no name": [`${head}: b\r\n`, "a header's name is not valid"],
    "a NUL in a value": [`${head}A: b\0\r\n`, "a header's value holds a NUL or a bare CR"],
    "a bare CR in a value": [`${head}A: b\rc\r\n`, "a header's value holds a NUL or a bare CR"],
    "a fold of nothing": [`${head} b\r\n`, "its first header line begins with a space"],
    "lengths that differ": [
      `${head}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`,
      "it has several Content-Lengths that differ",
    ],
    "lengths in one line that differ": [
      `${head}Content-Length: 1, 2\r\n\r\n`,
      "it has several Content-Lengths that differ",
    ],
    "a length in hex": [
      `${head}Content-Length: 0x1\r\n\r\n`,
      "its Content-Length is not a number of bytes",
    ],
    "a length with a sign": [
      `${head}Content-Length: +1\r\n\r\n`,
      "its Content-Length is not a number of bytes",
    ],
    "chunked twice": [
      `${head}Transfer-Encoding: chunked, chunked\r\n\r\n`,
      "chunked is not the last of its transfer codings",
    ],
    "chunked inside": [
      `${head}Transfer-Encoding: chunked, gzip\r\n\r\n`,
      "chunked is not the last of its transfer codings",
    ],
    "an unknown coding": [
      `${head}Transfer-Encoding: rot13, chunked\r\n\r\n`,
      'it has the unknown transfer coding "rot13"',
    ],
    "no chunk size": [`${chunked}\r\n`, "the size of a chunk is not a number"],
    "a chunk size with a sign": [`${chunked}-1\r\n`, "the size of a chunk is not a number"],
    "a chunk size beyond numbers": [
      `${chunked}fffffffffffffff\r\n`,
      "the size of a chunk is too large a number",
    ],
    "a chunk's line with a bare LF": [
      `${chunked}1;a\nx`,
      "the size of a chunk does not end with its line",
    ],
    "a chunk's line without an end": [
      `${chunked}1;${"x".repeat(5_000)}`,
      "the line before a chunk is over 4 KiB",
    ],
    "zeros without an end": [
      `${chunked}${"0".repeat(5_000)}`,
      "the line before a chunk is over 4 KiB",
    ],
    "a chunk that goes on": [`${chunked}1\r\nxy\r\n`, "a chunk is longer than it says"],
    "a trailer that is no header": [`${chunked}0\r\nbroken\r\n\r\n`, "a header line has no colon"],
    "a head without an end": [`${head}A: ${"x".repeat(310_000)}`, "headers_too_large"],
    "interim responses without an end": [
      "HTTP/1.1 103 X\r\n\r\n".repeat(33),
      "more than 32 interim responses",
    ],
  };
  test.each(Object.entries(refused))("%s", (_name, [text, words]) => {
    expect(why(text)).toBe(words);
  });
});

describe("what is read", () => {
  const bodies: Record<string, readonly [text: string, body: string, method?: string]> = {
    "a length": [`${head}Content-Length: 2\r\n\r\nokmore`, "ok"],
    "a length said twice": [`${head}Content-Length: 2, 2\r\nContent-Length: 2\r\n\r\nok`, "ok"],
    "chunks, whatever the length": [
      `${head}Content-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n2;a="b"\r\nok\r\n0\r\nX: y\r\n\r\nmore`,
      "ok",
    ],
    "a chunk size with spaces and capitals": [
      `${chunked}A  \r\n0123456789\r\n00\r\n\r\n`,
      "0123456789",
    ],
    "until the end": ["HTTP/1.0 200 OK\r\n\r\nok", "ok"],
    "compressed until the end": [`${head}Transfer-Encoding: gzip\r\n\r\nok`, "ok"],
    "lines that end with LF": ["HTTP/1.1 200 OK\nContent-Length: 2\n\nok", "ok"],
    "nothing after HEAD": [`${head}Content-Length: 2\r\n\r\nok`, "", "HEAD"],
    "nothing after 304": ["HTTP/1.1 304 X\r\nContent-Length: 2\r\n\r\nok", ""],
  };
  test.each(Object.entries(bodies))("%s", (_name, [text, body, method]) => {
    const one = readText(text, method);
    expect(one).toMatchObject({ body, fault: null });
    expect((one as { seen: unknown[] }).seen.at(-1)).toBe("whole");
  });

  test("headers in their order, folded ones unfolded, white space around values gone", () => {
    expect(
      readText(`${head}B: \t 1 \r\nA:2\r\n\t 3\r\n  \r\nB:\r\n x\r\nContent-Length: 0\r\n\r\n`),
    ).toEqual({
      seen: [
        "head began",
        {
          statusCode: 200,
          version: "1.1",
          headers: [
            ["B", "1"],
            ["A", "2 3"],
            ["B", "x"],
            ["Content-Length", "0"],
          ],
          codings: [],
        },
        "whole",
      ],
      body: "",
      fault: null,
    });
  });
});

const responses = [
  `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 X\r\nLink: </a>\r\n\r\n${head}Content-Length: 5\r\n\r\nhello and more`,
  `${head}Transfer-Encoding: gzip, chunked\r\nX: folded\r\n  twice\r\n\r\n5;a=b\r\nhello\r\n6\r\n world\r\n0\r\nSum: 1\r\n\r\n`,
  "\r\nHTTP/1.0 404 Not Found\nServer: old\n\nuntil the connection ends",
  "\x15\x03\x01\x00\x02\x02\x28",
  `${head}X: ${"x".repeat(307_190)}\r\nY: z\r\n\r\n`,
];
const telling = [
  "\r\n",
  "\n",
  "\r",
  "\0",
  ":",
  " ",
  "-1",
  "ffff",
  "0\r\n\r\n",
  "HTTP/1.1 102 X\r\n\r\n",
];

const change = record({
  how: constantFrom("replace", "insert"),
  at: nat(200),
  piece: constantFrom(...telling),
});

test("however the bytes are cut into pieces, what is read of them is the same", () => {
  assert(
    property(
      constantFrom(...responses),
      array(change, { maxLength: 3 }),
      array(nat(400), { maxLength: 40 }),
      constantFrom("GET", "HEAD"),
      (response, changes, cuts, method) => {
        const text = changes.reduce((all, { how, at, piece }) => {
          const rest = how === "insert" ? at : at + piece.length;
          return all.slice(0, at) + piece + all.slice(rest);
        }, response);
        const whole = Buffer.from(text, "latin1");
        const edges = [...new Set([0, ...cuts, whole.length])]
          .filter((edge) => edge <= whole.length)
          .toSorted((a, b) => a - b);
        const pieces = edges.slice(1).map((edge, at) => whole.subarray(edges[at], edge));
        expect(read(pieces, method)).toEqual(read([whole], method));
      },
    ),
    { numRuns: 2_000 },
  );
});
