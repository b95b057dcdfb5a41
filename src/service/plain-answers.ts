import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Logger } from "#log";
import { admitKey, headersOf } from "#service/admission";
import { webhookSchema } from "#notify/webhook-schema";
import type { Health } from "#service/health";
import type { KeyPace } from "#service/key-pace";
import { type Keys, scopesOf } from "#service/keys";
import {
  acknowledgePage,
  acknowledgePath,
  type AcknowledgeRooms,
} from "#service/alerts/acknowledge-page";
import { Refusal, type RefusalCode } from "#service/call-refusal";
import { databaseOut } from "#service/connect-fault";
import { type Watch, watchPath } from "#service/watch-endpoint";
import { StoreFault } from "#store/store-fault";

/** What whoami says of whom the service belongs to. */
export interface AboutService {
  readonly name: string;
  readonly slug: string;
}

/** What is not a call of the contract: whoami, a sign of life, a push channel that is not given, and what is not there. */
export const plainAnswers =
  (rooms: PlainRooms, log: Logger): RequestListener =>
  (request, response) =>
    void answered(rooms, request, response).catch((error: unknown) =>
      sendFault(error, request, response, log),
    );

export interface PlainRooms extends AcknowledgeRooms {
  readonly about: AboutService;
  readonly keys: Keys;
  readonly pace: KeyPace;
  readonly watch: Watch;
  readonly health: Health;
}

async function answered(
  rooms: PlainRooms,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = pathOf(request);
  if (path.startsWith(acknowledgePath)) return acknowledgePage(rooms, request, response);
  if (path === "/v1/whoami" || path === "/v1/whoami/")
    return answer(request, response, () => whoami(request, rooms));
  if (path === "/livez") return answer(request, response, async () => ({ status: "ok" }));
  if (path === "/healthz")
    return answer(request, response, async () => wellOr(await rooms.health()));
  if (path === "/schemas/webhook.json") return answer(request, response, async () => webhookSchema);
  if (path === watchPath) return askForUpgrade(request, response, rooms.watch);
  send(request, response, 404, "not_found", "there is nothing here");
}

const pathOf = ({ url = "" }: IncomingMessage): string => url.split("?")[0] ?? "";

function sendFault(
  error: unknown,
  request: IncomingMessage,
  response: ServerResponse,
  log: Logger,
): void {
  if (error instanceof Refusal) return sendRefusal(error, request, response);
  const fields = { "url.path": pathOf(request), "error.message": String(error) };
  if (error instanceof StoreFault && error.code !== "unsupported") {
    log.error("the database cannot be used; callers are asked to try again", fields);
    return sendRefusal(databaseOut(), request, response);
  }
  log.error("a request failed by a fault of the service", fields);
  send(request, response, 500, "internal", "a fault of the service; its log says more");
}

function sendRefusal(
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

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  body: () => Promise<object>,
): Promise<void> {
  if (request.method === "GET" || request.method === "HEAD")
    return write(request, response, 200, await body());
  response.setHeader("Allow", "GET, HEAD");
  send(request, response, 405, "unimplemented", "only GET is understood here");
}

/** A request for the push channel that was not upgraded: it was not admitted, or asked for no WebSocket. */
async function askForUpgrade(
  request: IncomingMessage,
  response: ServerResponse,
  watch: Watch,
): Promise<void> {
  await watch.admit(request);
  response.setHeader("Upgrade", "websocket");
  send(request, response, 426, "failed_precondition", "this is a push channel: use a WebSocket");
}

function wellOr(fault: string | null): object {
  if (fault !== null) throw new Refusal("unavailable", fault);
  return { status: "ok" };
}

async function whoami(
  request: IncomingMessage,
  { keys, pace, about }: PlainRooms,
): Promise<object> {
  const key = await admitKey(keys, pace, headersOf(request.headers));
  return {
    name: about.name,
    slug: about.slug,
    plan: "self-hosted",
    actor: { type: "apiKey", keyId: key.id, scopes: scopesOf(key) },
  };
}

/** An error in the shape that the Connect protocol gives to its own. */
function send(
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
