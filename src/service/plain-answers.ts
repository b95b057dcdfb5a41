import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Logger } from "#log";
import { keyHeader } from "#service/gate";
import { type Keys, scopesOf } from "#service/keys";
import { Refusal } from "#service/refusal";

/** What is not a call of the contract: whoami, a sign of life, and everything that is not there. */
export const plainAnswers =
  (keys: Keys, log: Logger): RequestListener =>
  (request, response) => {
    const [path] = (request.url ?? "").split("?");
    try {
      if (path === "/v1/whoami") answer(request, response, () => whoami(request, keys));
      else if (path === "/healthz") answer(request, response, () => ({ status: "ok" }));
      else send(request, response, 404, "not_found", "there is nothing here");
    } catch (error) {
      if (error instanceof Refusal && error.code === "unauthenticated")
        return send(request, response, 401, error.code, error.message);
      log.error("a request failed by a fault of the service", { path, error: String(error) });
      send(request, response, 500, "internal", "a fault of the service; its log says more");
    }
  };

function answer(request: IncomingMessage, response: ServerResponse, body: () => object): void {
  if (request.method === "GET" || request.method === "HEAD")
    return write(request, response, 200, body());
  response.setHeader("Allow", "GET, HEAD");
  send(request, response, 405, "unimplemented", "only GET is understood here");
}

function whoami(request: IncomingMessage, keys: Keys): object {
  const header = request.headers[keyHeader];
  const key = keys.authenticate(typeof header === "string" ? header : null);
  return {
    name: "Picket",
    slug: "picket",
    plan: "self-hosted",
    actor: { type: "api_key", keyId: key.id, scopes: scopesOf(key) },
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
