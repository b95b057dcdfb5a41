import type { ShownBytes, ShownDns, ShownExchange, ShownHttp } from "#cli/check/shown-exchange";
import { showText } from "#base/text";

/** What an attempt exchanged, for a person: `>` went out, `<` came back, `|` is a body. */
export function explanation(exchanges: readonly ShownExchange[]): string {
  const lines =
    exchanges.length === 0
      ? ["No text was exchanged: no request or query was sent."]
      : exchanges.flatMap((exchange, index) => [
          ...(index === 0 ? [] : [""]),
          ...exchangeLines(exchange, index + 1),
        ]);
  return `\n${lines.map((line) => (line === "" ? "\n" : `  ${line}\n`)).join("")}`;
}

/** The same for a program. */
export const exchangesJson = (exchanges: readonly ShownExchange[]): readonly object[] =>
  exchanges.map((exchange) => (exchange.kind === "dns" ? dnsJson(exchange) : httpJson(exchange)));

function exchangeLines(exchange: ShownExchange, number: number): readonly string[] {
  switch (exchange.kind) {
    case "http":
      return [
        `exchange ${number}: ${exchange.server} over HTTP/${exchange.version}`,
        ...httpLines(exchange),
      ];
    case "dns":
      return [
        `exchange ${number}: ${exchange.server} over ${exchange.transport}`,
        ...dnsLines(exchange),
      ];
  }
}

function httpLines({
  request,
  requestBodyBytes,
  responses,
  body,
  unread,
}: ShownHttp): readonly string[] {
  const sent =
    request === null
      ? ["nothing was sent"]
      : [request.line, ...request.headers].map((line) => `> ${showText(line)}`);
  const posted = requestBodyBytes === 0 ? [] : [`and a body of ${requestBodyBytes} bytes`];
  const came = responses.flatMap(({ line, headers }) =>
    [line, ...headers].map((one) => `< ${showText(one)}`),
  );
  const silent = responses.length === 0 && unread === null ? ["no response came"] : [];
  return [
    ...sent,
    ...posted,
    ...came,
    ...silent,
    ...(body === null ? [] : bytesLines("body", "|", body)),
    ...(unread === null ? [] : bytesLines("not a whole response", "<", unread)),
  ];
}

const dnsLines = ({ query, answers }: ShownDns): readonly string[] => [
  ...bytesLines("query", ">", query),
  ...answers.flatMap((answer) => bytesLines("answer", "<", answer)),
  ...(answers.length === 0 ? ["no answer came"] : []),
];

function bytesLines(what: string, mark: string, bytes: ShownBytes): readonly string[] {
  const first = bytes.shown < bytes.size ? `, the first ${bytes.shown}` : "";
  const lines =
    bytes.as === "text" ? bytes.text.split(/\r?\n/).map(showText) : hexDump(bytes.bytes);
  return [
    `${what}: ${bytes.size} bytes${first}`,
    ...lines.map((line) => `${mark} ${line}`.trimEnd()),
  ];
}

const bytesPerLine = 16;

/** Offset, bytes, and the characters that they are in ASCII. */
function hexDump(bytes: Uint8Array): readonly string[] {
  const count = Math.ceil(bytes.length / bytesPerLine);
  return Array.from({ length: count }, (_, index) => {
    const at = index * bytesPerLine;
    const row = Buffer.from(bytes.subarray(at, at + bytesPerLine));
    const hex = [...row].map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
    const ascii = row.toString("latin1").replaceAll(/[^\x20-\x7e]/g, ".");
    return `${at.toString(16).padStart(4, "0")}  ${hex.padEnd(bytesPerLine * 3 - 1)}  ${ascii}`;
  });
}

const httpJson = (exchange: ShownHttp): object => ({
  kind: "http",
  server: exchange.server,
  version: exchange.version,
  request:
    exchange.request === null
      ? null
      : { ...exchange.request, body_bytes: exchange.requestBodyBytes },
  responses: exchange.responses,
  body: exchange.body === null ? null : bytesJson(exchange.body),
  unread: exchange.unread === null ? null : bytesJson(exchange.unread),
});

const dnsJson = ({ server, transport, query, answers }: ShownDns): object => ({
  kind: "dns",
  server,
  transport,
  query: bytesJson(query),
  answers: answers.map(bytesJson),
});

const bytesJson = (bytes: ShownBytes): object =>
  bytes.as === "text"
    ? { text: bytes.text, size: bytes.size }
    : { hex: Buffer.from(bytes.bytes).toString("hex"), size: bytes.size };
