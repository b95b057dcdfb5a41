import type { Cut } from "#check/kinds/kind-entry";
import type { HttpOutcome, HttpResponse } from "#check/outcome";

/** An outcome with each text that the target wrote cut. */
export const cutHttp = (outcome: HttpOutcome, cut: Cut, reportsBody: boolean): HttpOutcome => ({
  ...outcome,
  hops: outcome.hops.map((hop) => ({ ...hop, url: cut(hop.url) })),
  response: outcome.response === null ? null : cutResponse(outcome.response, cut, reportsBody),
});

/** A body that is not reported is left out. */
function cutResponse(response: HttpResponse, cut: Cut, reportsBody: boolean): HttpResponse {
  const headers = cutHeaders(response.headers, cut);
  const body = reportsBody ? cutBody(response, cut) : new Uint8Array();
  return { ...response, headers, body };
}

/** Looked through at once: most answers hold none. Each value is whole: a head that is too long is a failure. */
export function cutHeaders(headers: HttpResponse["headers"], cut: Cut): HttpResponse["headers"] {
  const all = headers.flat().join("\n");
  return cut(all, true) === all
    ? headers
    : headers.map(([name, value]) => [cut(name, true), cut(value, true)] as const);
}

export function cutBody({ body, bodyBytes, bodyCut }: HttpResponse, cut: Cut): Uint8Array {
  const text = new TextDecoder().decode(body);
  const rest = cut(text, !bodyCut && body.length === bodyBytes);
  return rest === text ? body : new TextEncoder().encode(rest);
}
