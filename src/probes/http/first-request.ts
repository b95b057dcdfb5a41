import { SmallMemo } from "#base/small-memo";
import { bodyMethods, type Header, type HttpTarget } from "#check/monitor";
import { basicAuth } from "#network/basic-auth";
import { requestHead } from "#probes/http/request-lines";
import type { Request } from "#probes/resolve/redirect";

/** A monitor's first request is the same at each of its checks: it is made once, and goes with the monitor. */
export class FirstRequest {
  readonly request: Request;
  #sent: { readonly userAgent: string; readonly request: Request } | null = null;

  constructor(target: HttpTarget) {
    const { url, method, headers } = target;
    const body = bodyOf(target);
    this.request = { url: new URL(url), method, headers, body, leftBehind: [], head: null };
  }

  /** What is sent of a request, this one or one behind it, with the agent's own words in it. */
  sent(request: Request, userAgent: string): Request {
    if (request !== this.request) return completed(request, userAgent);
    if (this.#sent?.userAgent !== userAgent) {
      const sent = completed(request, userAgent);
      this.#sent = { userAgent, request: { ...sent, head: requestHead(sent) } };
    }
    return this.#sent.request;
  }
}

const firstRequests = new SmallMemo((target: HttpTarget) => new FirstRequest(target));

export const firstRequestOf = (target: HttpTarget): FirstRequest => firstRequests.of(target);

/** A body goes with POST, PUT and PATCH. */
function bodyOf({ method, body, headers }: HttpTarget): Uint8Array | null {
  if (body === "" || !bodyMethods.includes(method)) return null;
  const base64 = /^data:[^,]*;base64,(.*)$/s.exec(body)?.[1];
  if (
    base64 !== undefined &&
    /^application\/octet-stream\b/i.test(valueOf(headers, "content-type") ?? "")
  )
    return Buffer.from(base64, "base64");
  return Buffer.from(body);
}

/** What every request carries unless the monitor says otherwise. User-info of the URL becomes Basic auth. */
function completed(request: Request, userAgent: string): Request {
  const { url, method, headers, body } = request;
  const added: Header[] = [];
  const add = (key: string, value: string): void => {
    if (valueOf(headers, key) === null) added.push({ key, value });
  };
  add("User-Agent", userAgent);
  // The existing service's agent says it of every POST, with a body or without, and monitors were written with that.
  if (body !== null || method === "POST") add("Content-Type", "application/json");
  const authorization = basicAuth(url);
  if (authorization !== null) add("Authorization", authorization);
  return { ...request, headers: [...headers, ...added] };
}

const valueOf = (headers: readonly Header[], name: string): string | null =>
  headers.find(({ key }) => key.toLowerCase() === name.toLowerCase())?.value ?? null;
