import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { listenLocally } from "./listen-locally.ts";

/* Stand-ins for those who take notifications, each with what it does wrong as its name. */

/** One request as a provider got it. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A provider on 127.0.0.1 that remembers what it was asked. */
export interface StandIn extends AsyncDisposable {
  readonly url: string;
  readonly asked: readonly Asked[];
}

/** Answers one request; `count` is how many it has had. */
export type ProviderScript = (asked: Asked, response: ServerResponse, count: number) => void;

export async function startProvider(script: ProviderScript): Promise<StandIn> {
  const asked: Asked[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("error", () => {});
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      const one = { method, path: url, headers, body: Buffer.concat(chunks).toString() };
      asked.push(one);
      script(one, response, asked.length);
    });
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  });
  const port = await listenLocally(server);
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

const json = (
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void => {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
};

const text = (response: ServerResponse, status: number, body: string, headers = {}): void => {
  response.writeHead(status, headers);
  response.end(body);
};

export const discordTakesIt: ProviderScript = (_asked, response) =>
  json(response, 200, { id: "1099", type: 0 });

/** The first message was deleted by a person: it cannot be edited, and the webhook is well. */
export const discordForgotTheMessage: ProviderScript = ({ method }, response) =>
  method === "PATCH"
    ? json(response, 404, { message: "Unknown Message", code: 10_008 })
    : json(response, 200, { id: "1100" });

export const discordSaysLater: ProviderScript = (_asked, response) =>
  json(
    response,
    429,
    { message: "You are being rate limited.", retry_after: 1.25, global: false },
    { "retry-after": "2", "x-ratelimit-remaining": "0" },
  );

export const discordLostTheWebhook: ProviderScript = (_asked, response) =>
  json(response, 404, { message: "Unknown Webhook", code: 10_015 });

export const slackIsArchived: ProviderScript = (_asked, response) =>
  text(response, 410, "channel_is_archived");

export const slackTakesIt: ProviderScript = (_asked, response) => text(response, 200, "ok");

/** A group that became a supergroup: its old number is refused, the new one works. */
export const telegramMovedTheGroup: ProviderScript = ({ body }, response) =>
  JSON.parse(body).chat_id === "-1001"
    ? json(response, 400, {
        ok: false,
        error_code: 400,
        description: "Bad Request: group chat was upgraded to a supergroup chat",
        parameters: { migrate_to_chat_id: -100_200_300 },
      })
    : json(response, 200, { ok: true, result: { message_id: 7 } });

/** Answers that it has the request, whatever it says; what became of it is another call. */
export const opsgenieTakesEverything: ProviderScript = ({ method }, response) =>
  method === "GET"
    ? json(response, 200, { data: { success: false, status: "Alert is invalid" } })
    : json(response, 202, { result: "Request will be processed", took: 0.1, requestId: "r-1" });

export const teamsIsEmpty: ProviderScript = (_asked, response) => text(response, 202, "");

export const webhookRedirects: ProviderScript = (_asked, response) =>
  text(response, 307, "", { location: "http://127.0.0.1:1/elsewhere" });

export const webhookIsGone: ProviderScript = (_asked, response) => text(response, 410, "");

export const webhookSaysLaterByDate =
  (date: Date): ProviderScript =>
  (_asked, response) =>
    text(response, 503, "", { "retry-after": date.toUTCString() });

/** Never answers. */
export const webhookIsSilent: ProviderScript = () => {};

/** Ends the connection in the middle of its answer. */
export const webhookHangsUp: ProviderScript = (_asked, response) => {
  response.writeHead(200, { "content-length": "100" });
  response.write("half of");
  response.socket?.destroySoon();
};

/** Talks without end. */
export const webhookFloods: ProviderScript = (_asked, response) => {
  response.writeHead(200);
  const more = (): void => {
    while (response.write("x".repeat(65_536))) if (response.destroyed) return;
    response.once("drain", more);
  };
  more();
};

export const ntfyRefusesLength: ProviderScript = ({ body }, response) =>
  Buffer.byteLength(JSON.parse(body).message) > 4096
    ? json(response, 413, { code: 41_301, error: "attachment too large" })
    : json(response, 200, { id: "hwQ2YpKdmg" });

/** Takes a request once: the same key again is the same message. */
export const twilioQueues: ProviderScript = ({ method }, response) =>
  method === "GET"
    ? json(response, 200, { sid: "SM1", status: "undelivered", error_code: 30_003 })
    : json(response, 201, { sid: "SM1", status: "queued" });
