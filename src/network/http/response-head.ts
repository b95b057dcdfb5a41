import { type HeaderPairs, valuesOf } from "#network/http/headers";

/** The head of a response over HTTP/1. */
export interface ResponseHead {
  readonly statusCode: number;
  readonly version: "1.0" | "1.1";
  readonly headers: HeaderPairs;
}

/** How the end of a body is known (RFC 9112 §6.3). */
export type Framing =
  | { readonly by: "head" }
  | { readonly by: "length"; readonly length: number }
  | { readonly by: "chunks" | "close" };

/** What a line or a head means, or the words for why it is not valid. */
type Reading<T> = { readonly ok: true; readonly value: T } | Refusal;
interface Refusal {
  readonly ok: false;
  readonly why: string;
}
const refused = (why: string): Refusal => ({ ok: false, why });

/** RFC 9112 §4; the reason phrase may be absent with its space. Whoever speaks 1.2 speaks 1.1 with us. */
export function readStatusLine(
  line: string,
): Reading<{ readonly version: "1.0" | "1.1"; readonly statusCode: number }> {
  const [, minor, status] = /^HTTP\/1\.(\d) (\d{3})(?: [^\r\0]*)?$/.exec(line) ?? [];
  if (minor === undefined || status === undefined)
    return refused("its first line is not a status line");
  if (status < "100") return refused(`it has the status ${status}, and none is below 100`);
  return {
    ok: true,
    value: { version: minor === "0" ? "1.0" : "1.1", statusCode: Number(status) },
  };
}

/** RFC 9112 §5: a token, a colon at once, and a value without its surrounding white space. */
export function readField(line: string): Reading<readonly [name: string, value: string]> {
  const colon = line.indexOf(":");
  if (colon === -1) return refused("a header line has no colon");
  const name = line.slice(0, colon);
  if (/[ \t]$/.test(name)) return refused("a header line has a space before its colon");
  if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name)) return refused("a header's name is not valid");
  const value = readValue(line.slice(colon + 1));
  return value.ok ? { ok: true, value: [name, value.value] } : value;
}

/** The value of a field, or of the line in which an obsolete one continues (RFC 9112 §5.2). */
export function readValue(text: string): Reading<string> {
  if (/[\r\0]/.test(text)) return refused("a header's value holds a NUL or a bare CR");
  let from = 0;
  let to = text.length;
  while (from < to && isBlank(text.charCodeAt(from))) from += 1;
  while (to > from && isBlank(text.charCodeAt(to - 1))) to -= 1;
  return { ok: true, value: text.slice(from, to) };
}

const isBlank = (code: number): boolean => code === 0x20 || code === 0x09;

/** Where the body of this response ends, and what its transfer codings are, innermost first. */
export function readFraming(
  { statusCode, headers }: ResponseHead,
  method: string,
): Reading<{ readonly framing: Framing; readonly codings: readonly string[] }> {
  if (method === "HEAD" || statusCode === 204 || statusCode === 304)
    return { ok: true, value: { framing: { by: "head" }, codings: [] } };
  const transfer = listOf(headers, "transfer-encoding").filter((coding) => coding !== "");
  if (transfer.length > 0) return readTransferCodings(transfer);
  const length = readLength(listOf(headers, "content-length"));
  return length.ok ? { ok: true, value: { framing: length.value, codings: [] } } : length;
}

/** Transfer-Encoding overrides Content-Length, whatever that says. */
function readTransferCodings(
  transfer: readonly string[],
): Reading<{ readonly framing: Framing; readonly codings: readonly string[] }> {
  const names = transfer.map((coding) => coding.toLowerCase());
  const chunked = names.indexOf("chunked");
  if (chunked !== -1 && chunked !== names.length - 1)
    return refused("chunked is not the last of its transfer codings");
  const codings = names.filter((name) => name !== "chunked" && name !== "identity");
  const unknown = codings.find((name) => !["gzip", "x-gzip", "deflate"].includes(name));
  if (unknown !== undefined)
    return refused(`it has the unknown transfer coding "${unknown.slice(0, 32)}"`);
  return { ok: true, value: { framing: { by: chunked === -1 ? "close" : "chunks" }, codings } };
}

/** The same length said twice is one length; two that differ may hide another response between them. */
function readLength([first, ...others]: readonly string[]): Reading<Framing> {
  if (first === undefined) return { ok: true, value: { by: "close" } };
  if (others.some((other) => other !== first))
    return refused("it has several Content-Lengths that differ");
  const length = Number(first);
  if (!/^\d+$/.test(first) || !Number.isSafeInteger(length))
    return refused("its Content-Length is not a number of bytes");
  return { ok: true, value: { by: "length", length } };
}

const listOf = (headers: HeaderPairs, name: string): readonly string[] =>
  valuesOf(headers, name).flatMap((value) => value.split(",").map((part) => part.trim()));
