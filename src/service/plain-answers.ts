import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Logger } from "#base/log";
import { admitRequest } from "#service/agents/admission";
import {
  downloadAnswer,
  downloadPrefix,
  type DownloadRooms,
} from "#service/downloads/download-answers";
import { webhookSchema } from "#service/notify/webhook-schema";
import type { Health } from "#service/health";
import { scopesOf } from "#service/edge/keys";
import { acknowledgePage, acknowledgePath } from "#service/operator/incidents/acknowledge-page";
import type { AcknowledgeRooms } from "#service/operator/incidents/acknowledge-rooms";
import type { ManagedFolder } from "#service/configuration/managed-folder";
import { timeText } from "#service/monitors/shown-monitor";
import { Refusal } from "#service/edge/call-refusal";
import { databaseOut } from "#service/edge/connect-fault";
import { answer, pathOf, send, sendRefusal } from "#service/edge/json-answer";
import { type MetricsRooms, serviceMetrics } from "#service/service-metrics";
import { type Watch, watchPath } from "#service/api/watch-endpoint";
import { counted } from "#base/text";
import { StoreFault } from "#service/store/store-fault";
import { isClientGone } from "#web/client-gone";

/** What whoami says of whom the service belongs to. */
export interface AboutService {
  readonly name: string;
  readonly slug: string;
}

/** Shows a person a page about an address at which there is nothing; false for a program. */
type Lost = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

/** What is not a call of the contract: whoami, a sign of life, metrics, a push channel that is not given, and what is not there. */
export const plainAnswers =
  (rooms: PlainRooms, log: Logger, lost: Lost): RequestListener =>
  (request, response) =>
    void answered({ ...rooms, lost }, request, response).catch((error: unknown) =>
      sendFault(error, request, response, log),
    );

interface PlainRooms extends AcknowledgeRooms, DownloadRooms, MetricsRooms {
  readonly about: AboutService;
  readonly watch: Watch;
  readonly health: Health;
  readonly managed: ManagedFolder | null;
}

async function answered(
  { lost, ...rooms }: PlainRooms & { readonly lost: Lost },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = pathOf(request);
  if (path.startsWith(acknowledgePath)) return acknowledgePage(rooms, request, response);
  if (path.startsWith(downloadPrefix)) return downloadAnswer(rooms, request, response);
  if (path === "/v1/whoami" || path === "/v1/whoami/")
    return answer(request, response, () => whoami(rooms, request, response));
  if (path === "/livez") return answer(request, response, async () => ({ status: "ok" }));
  if (path === "/healthz")
    return answer(request, response, async () => wellOr(await rooms.health(), rooms));
  if (path === "/metrics") return serviceMetrics(rooms, request, response);
  if (path === "/schemas/webhook.json") return answer(request, response, async () => webhookSchema);
  if (path === watchPath) return askForUpgrade(request, response, rooms.watch);
  if (!(await lost(request, response)))
    send(request, response, 404, "not_found", "there is nothing here");
}

function sendFault(
  error: unknown,
  request: IncomingMessage,
  response: ServerResponse,
  log: Logger,
): void {
  if (isClientGone(request) || response.headersSent) return void response.destroy();
  if (error instanceof Refusal) return sendRefusal(error, request, response);
  const fields = { "url.path": pathOf(request), "error.message": String(error) };
  if (error instanceof StoreFault && error.code !== "unsupported") {
    log.error("the database cannot be used; callers are asked to try again", fields);
    return sendRefusal(databaseOut(error), request, response);
  }
  log.error("a request failed by a fault of the service", fields);
  send(request, response, 500, "internal", "a fault of the service; its log says more");
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

/** Files with mistakes do not make the service unwell: it does what the last good ones said. */
function wellOr(
  fault: string | null,
  { managed, store }: Pick<PlainRooms, "managed" | "store">,
): object {
  if (fault !== null) throw new Refusal("unavailable", fault);
  const status = { status: "ok", ...awayServers(store.serversAway) };
  if (managed === null) return status;
  const { appliedAt, mistakes } = managed.state;
  const count = mistakes.length;
  const configuration = {
    applied_at: appliedAt === null ? null : timeText(appliedAt),
    mistakes: count,
    ...(count === 0
      ? {}
      : {
          message:
            "the files are not applied, and the previous configuration stays; the log says why",
        }),
  };
  return { ...status, configuration };
}

/** A cluster of databases works on without one: it costs its own monitors. */
function awayServers(away: number): object {
  if (away === 0) return {};
  const message = `${counted(away, "database server")} cannot be reached: results of its monitors wait at their agents`;
  return { databases: { away, message } };
}

async function whoami(
  rooms: PlainRooms,
  { headers }: IncomingMessage,
  response: ServerResponse,
): Promise<object> {
  const key = await admitRequest(rooms, headers, response);
  const { about } = rooms;
  return {
    name: about.name,
    slug: about.slug,
    plan: "self-hosted",
    actor: { type: "apiKey", keyId: key.id, scopes: scopesOf(key) },
  };
}
