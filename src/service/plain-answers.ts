import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Logger } from "#log";
import { admitKey, headersOf } from "#service/admission";
import type { Health } from "#service/health";
import type { KeyPace } from "#service/key-pace";
import { type Keys, scopesOf } from "#service/keys";
import { Refusal, type RefusalCode } from "#service/call-refusal";
import { type Watch, watchPath } from "#service/watch-endpoint";

/** What is not a call of the contract: whoami, a sign of life, a push channel that is not given, and what is not there. */
export const plainAnswers =
  (keys: Keys, pace: KeyPace, watch: Watch, health: Health, log: Logger): RequestListener =>
  (request, response) => {
    const [path] = (request.url ?? "").split("?");
    try {
      if (path === "/v1/whoami" || path === "/v1/whoami/")
        answer(request, response, () => whoami(request, keys, pace));
      else if (path === "/livez") answer(request, response, () => ({ status: "ok" }));
      else if (path === "/healthz") answer(request, response, () => wellOr(health()));
      else if (path === watchPath) askForUpgrade(request, response, watch);
      else send(request, response, 404, "not_found", "there is nothing here");
    } catch (error) {
      if (error instanceof Refusal) {
        for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value);
        return send(request, response, statuses[error.code], error.code, error.message);
      }
      log.error("a request failed by a fault of the service", {
        "url.path": path,
        "error.message": String(error),
      });
      send(request, response, 500, "internal", "a fault of the service; its log says more");
    }
  };

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

function answer(request: IncomingMessage, response: ServerResponse, body: () => object): void {
  if (request.method === "GET" || request.method === "HEAD")
    return write(request, response, 200, body());
  response.setHeader("Allow", "GET, HEAD");
  send(request, response, 405, "unimplemented", "only GET is understood here");
}

/** A request for the push channel that was not upgraded: it was not admitted, or asked for no WebSocket. */
function askForUpgrade(request: IncomingMessage, response: ServerResponse, watch: Watch): void {
  watch.admit(request);
  response.setHeader("Upgrade", "websocket");
  send(request, response, 426, "failed_precondition", "this is a push channel: use a WebSocket");
}

function wellOr(fault: string | null): object {
  if (fault !== null) throw new Refusal("unavailable", fault);
  return { status: "ok" };
}

function whoami(request: IncomingMessage, keys: Keys, pace: KeyPace): object {
  const key = admitKey(keys, pace, headersOf(request.headers));
  return {
    name: "Picket",
    slug: "picket",
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
