import type { IncomingMessage, ServerResponse } from "node:http";
import type { Refusal, RefusalCode } from "#service/call-refusal";

/** Answers a GET in JSON, and refuses every other method. */
export async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  body: () => Promise<object>,
): Promise<void> {
  if (request.method === "GET" || request.method === "HEAD")
    return write(request, response, 200, await body());
  response.setHeader("Allow", "GET, HEAD");
  send(request, response, 405, "unimplemented", "only GET is understood here");
}

export function sendRefusal(
  { code, message, headers }: Refusal,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  send(request, response, statuses[code], code, message);
}

/** As the Connect protocol maps its codes. */
const statuses: { readonly [C in RefusalCode]: number } = {
  unauthenticated: 401,
  permission_denied: 403,
  invalid_argument: 400,
  not_found: 404,
  failed_precondition: 400,
  resource_exhausted: 429,
  unavailable: 503,
};

/** An error in the shape that the Connect protocol gives to its own. */
export function send(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  code: string,
  message: string,
): void {
  write(request, response, status, { code, message });
}

function write(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  body: object,
): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(text),
  });
  response.end(request.method === "HEAD" ? "" : text);
}

export const pathOf = ({ url = "" }: IncomingMessage): string => url.split("?")[0] ?? "";
