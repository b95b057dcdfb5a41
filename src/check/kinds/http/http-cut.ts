import type { HttpOutcome, HttpResponse } from "#check/outcome";

type Cut = (text: string) => string;

/** An outcome with each text that the target wrote cut. */
export const cutHttp = (outcome: HttpOutcome, cut: Cut, reportsBody: boolean): HttpOutcome => ({
  ...outcome,
  hops: outcome.hops.map((hop) => ({ ...hop, url: cut(hop.url) })),
  response: outcome.response === null ? null : cutResponse(outcome.response, cut, reportsBody),
});

/** A body that is not reported is left out. */
function cutResponse(response: HttpResponse, cut: Cut, reportsBody: boolean): HttpResponse {
  const headers = cutHeaders(response.headers, cut);
  const body = reportsBody ? cutBody(response.body, cut) : new Uint8Array();
  return { ...response, headers, body };
}

/** Looked through at once: most answers hold none. */
export function cutHeaders(headers: HttpResponse["headers"], cut: Cut): HttpResponse["headers"] {
  const all = headers.flat().join("\n");
  return cut(all) === all
    ? headers
    : headers.map(([name, value]) => [cut(name), cut(value)] as const);
}

export function cutBody(body: Uint8Array, cut: Cut): Uint8Array {
  const text = new TextDecoder().decode(body);
  const rest = cut(text);
  return rest === text ? body : new TextEncoder().encode(rest);
}
