import { isUtf8 } from "node:buffer";
import { isCredentialHeader } from "#check/credential-header";
import { failure, type Failure } from "#check/failure";
import type { BoundParts, Header, HttpMethod } from "#check/monitor";
import { showParsedUrl, showUrl } from "#check/target";

/** One HTTP request as it is sent. */
export interface Request {
  readonly url: URL;
  readonly method: HttpMethod;
  readonly headers: readonly Header[];
  readonly body: Uint8Array | null;
  /** Headers that the request before carried and that were meant for its origin alone. */
  readonly leftBehind: readonly string[];
  /** Its head in HTTP/1.1, if that was put together before; else null. */
  readonly head: string | null;
}

/** Whether a response asks to go elsewhere (RFC 9110 §15.4); without a Location it is judged as it is. */
export const isRedirect = (statusCode: number, location: string | null): boolean =>
  location !== null && [301, 302, 303, 307, 308].includes(statusCode);

/** The request that follows a redirect, or why there is none. */
export function follow(
  request: Request,
  statusCode: number,
  location: string,
):
  | { readonly ok: true; readonly request: Request }
  | { readonly ok: false; readonly failure: Failure } {
  const url = URL.parse(utf8(location), request.url);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:"))
    return {
      ok: false,
      failure: failure(
        "protocol_error",
        "receive",
        `${showUrl(request.url.href)} redirects to an address that is not http or https`,
      ),
    };
  url.hash = "";
  const method = methodAfter(statusCode, request.method);
  const sameOrigin = url.origin === request.url.origin;
  const staysBehind = ({ key }: Header): boolean => !sameOrigin && isCredentialHeader(key);
  const headers = request.headers.filter(
    (header) =>
      !staysBehind(header) &&
      (sameOrigin || header.key.toLowerCase() !== "host") &&
      (method === request.method || !contentHeaders.has(header.key.toLowerCase())),
  );
  const leftBehind = request.headers.filter(staysBehind).map(({ key }) => key);
  const body = method === request.method ? request.body : null;
  return { ok: true, request: { url, method, headers, body, leftBehind, head: null } };
}

/**
 * The same request without what is bound to the origin that it leaves; a failure if it cannot be sent without that. What
 * a server puts into the address is as good as sent by us.
 */
export function withoutBound(
  request: Request,
  from: URL,
  bound: BoundParts | undefined,
): ReturnType<typeof follow> {
  if (bound === undefined || request.url.origin === from.origin) return { ok: true, request };
  const isInAddress = bound.isIn(request.url.href);
  const what = isInAddress ? "the address" : "the body";
  if (isInAddress || (bound.isInBody && request.body !== null))
    return {
      ok: false,
      failure: failure(
        "target_denied",
        "policy",
        `${showUrl(from.href)} redirects to ${showParsedUrl(request.url)} with a secret of this location in ${what}: it is not sent there`,
      ),
    };
  const isBound = ({ key }: Header): boolean => bound.headers.has(key.toLowerCase());
  const left = request.headers.filter(isBound).map(({ key }) => key);
  return {
    ok: true,
    request: {
      ...request,
      headers: request.headers.filter((header) => !isBound(header)),
      leftBehind: [...request.leftBehind, ...left],
    },
  };
}

/** 301 and 302 turn POST into GET, as every client does; 303 turns all but HEAD; 307 and 308 keep the method. */
function methodAfter(statusCode: number, method: HttpMethod): HttpMethod {
  if (statusCode === 303) return method === "HEAD" ? "HEAD" : "GET";
  return (statusCode === 301 || statusCode === 302) && method === "POST" ? "GET" : method;
}

/** Header values hold one byte a character; servers write Location in UTF-8 without encoding it, and browsers read it. */
function utf8(location: string): string {
  const bytes = Buffer.from(location, "latin1");
  return isUtf8(bytes) ? bytes.toString("utf8") : location;
}

/** What describes a body that is no longer sent. */
const contentHeaders: ReadonlySet<string> = new Set([
  "content-encoding",
  "content-language",
  "content-location",
  "content-type",
]);
