import type { IncomingMessage, ServerResponse } from "node:http";
import type { Refusal, RefusalCode } from "#service/edge/call-refusal";

/** Answers a GET in JSON, and refuses every other method. */
export async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  body: () => Promise<object>,
): Promise<void> {
  if (isRead(request, response)) write(request, response, 200, await body());
}

/** Whether a request only reads; every other one is refused here. */
export function isRead(request: IncomingMessage, response: ServerResponse): boolean {
  if (request.method === "GET" || request.method === "HEAD") return true;
  response.setHeader("Allow", "GET, HEAD");
  send(request, response, 405, "unimplemented", "only GET is allowed here");
  return false;
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
  already_exists: 409,
  failed_precondition: 400,
  aborted: 409,
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
  writeText(request, response, status, "application/json", JSON.stringify(body));
}

/** Answers with a text of another type. */
export function sendText(
  request: IncomingMessage,
  response: ServerResponse,
  type: string,
  text: string,
): void {
  writeText(request, response, 200, type, text);
}

function writeText(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  type: string,
  text: string,
): void {
  response.writeHead(status, { "Content-Type": type, "Content-Length": Buffer.byteLength(text) });
  response.end(request.method === "HEAD" ? "" : text);
}

export const pathOf = ({ url = "" }: IncomingMessage): string => url.split("?")[0] ?? "";
