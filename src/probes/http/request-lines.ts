import type { Header } from "#check/monitor";
import type { Request } from "#probes/resolve/redirect";

/** What says where a request ends, and what becomes of its connection, is ours to say (RFC 9112 §6 and §9). */
const framingHeaders: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "expect",
  "http2-settings",
  "keep-alive",
  "proxy-connection",
  "te",
  "transfer-encoding",
  "upgrade",
]);

/** All of a request in HTTP/1.1 but its body. Header values leave as UTF-8, as other clients send them. */
export function requestHead(request: Request): string {
  const { url, method } = request;
  const lines = [
    `${method} ${url.pathname}${url.search} HTTP/1.1`,
    `Host: ${hostOf(request)}`,
    ...headerLinesOf(request).map(([name, value]) => `${name}: ${value}`),
  ];
  return `${lines.join("\r\n")}\r\n\r\n`;
}

/** The host that a request asks for: what the monitor says, or that of its URL. */
export const hostOf = ({ url, headers }: Request): string =>
  headers.find(isHost)?.value ?? url.host;

/** The header lines of a request but for its host, in their order, whichever version of HTTP carries them. */
export const headerLinesOf = ({
  method,
  headers,
  body,
}: Request): readonly (readonly [name: string, value: string])[] => [
  ...headers
    .filter((header) => !isHost(header) && !framingHeaders.has(header.key.toLowerCase()))
    .map(({ key, value }) => [key, value] as const),
  ...lengthOf(method, body),
];

const isHost = ({ key }: Header): boolean => key.toLowerCase() === "host";

/** RFC 9110 §8.6: a method that is expected to carry a body says when it carries none. */
function lengthOf(
  method: string,
  body: Uint8Array | null,
): readonly (readonly [name: string, value: string])[] {
  if (body !== null) return [["Content-Length", String(body.length)]];
  return ["POST", "PUT", "PATCH"].includes(method) ? [["Content-Length", "0"]] : [];
}
