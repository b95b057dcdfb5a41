import { failure, type Failure } from "#check/failure";
import type { Header, HttpMethod } from "#check/monitor";
import { showUrl } from "#check/target";

/** One HTTP request as it goes on the wire. */
export interface Request {
  readonly url: URL;
  readonly method: HttpMethod;
  readonly headers: readonly Header[];
  readonly body: Uint8Array | null;
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
  const url = URL.parse(location, request.url);
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
  const headers = request.headers.filter(
    ({ key }) =>
      (sameOrigin || !privateHeaders.has(key.toLowerCase())) &&
      (method === request.method || !contentHeaders.has(key.toLowerCase())),
  );
  const body = method === request.method ? request.body : null;
  return { ok: true, request: { url, method, headers, body } };
}

/** 301 and 302 turn POST into GET, as every client does; 303 turns all but HEAD; 307 and 308 keep the method. */
function methodAfter(statusCode: number, method: HttpMethod): HttpMethod {
  if (statusCode === 303) return method === "HEAD" ? "HEAD" : "GET";
  return (statusCode === 301 || statusCode === 302) && method === "POST" ? "GET" : method;
}

/** What is meant for one origin only. */
const privateHeaders: ReadonlySet<string> = new Set([
  "authorization",
  "cookie",
  "host",
  "proxy-authorization",
]);

/** What describes a body that is no longer sent. */
const contentHeaders: ReadonlySet<string> = new Set([
  "content-encoding",
  "content-language",
  "content-location",
  "content-type",
]);
