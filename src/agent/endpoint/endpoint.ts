import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import { type RouteResponse, answerTo, sentence, type Subject } from "#agent/endpoint/routes";
import { Streams } from "#agent/endpoint/streams";
import { systemClock } from "#base/clock";
import * as limits from "#limits/pages-limits";
import { type ListenAddress, listenObstacle, reachedAt } from "#network/listen-address";
import { keepRoom } from "#network/connection-room";
import type { Logger } from "#base/log";
import { showHostPort } from "#network/host-port";
import { errorCode } from "#network/system-errors";
import { type AnsweredHost, answeredHost } from "#web/answered-host";
import { safetyHeaders } from "#web/safety-headers";
import { type ClientPatience, dropSlowClients, noTimeouts } from "#web/slow-clients";

interface EndpointOptions extends Omit<Subject, "startedAt"> {
  readonly listen: ListenAddress;
  /** Names by which it may be called, in addition to its own. */
  readonly listenHosts: readonly string[];
  readonly log: Logger;
}

/** A listening endpoint; disposing it cuts its readers off. */
export interface Endpoint extends AsyncDisposable {
  /** As this machine reaches it, also if it listens on every address. */
  readonly url: string;
}

/**
 * Opens the agent's local endpoint: what it does now and why something fails, for people, orchestrators and scrapers.
 * It only reads. Null, with a warning, when it cannot listen: checks matter more.
 */
export async function openEndpoint(options: EndpointOptions): Promise<Endpoint | null> {
  const { listen, log, clock } = options;
  const subject = { ...options, startedAt: clock.monotonic() };
  const answered = answeredHost(listen, options.listenHosts);
  const streams = new Streams(clock, log);
  const server = serverOf((request, response) => {
    const answer = guarded(() => answerFor(request, subject, answered), log);
    respond(request, response, streams.full ? unlessLong(answer) : answer, streams);
  });
  server.listen(listen.port, listen.host);
  try {
    await once(server, "listening");
  } catch (error) {
    const code = errorCode(error) || String(error);
    log.warn("the local endpoint is closed: it cannot listen on PICKET_LISTEN; checks still run", {
      "error.message": listenObstacle(code, listen),
    });
    return null;
  }
  // Sockets live by the machine's time.
  void dropSlowClients(server, patience, systemClock);
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the endpoint has no port");
  const { port } = address;
  log.info("the local endpoint listens", {
    "url.full": `http://${showHostPort(listen.host, port)}`,
  });
  const at = reachedAt({ host: listen.host, port });
  return {
    url: `http://${showHostPort(at.host, port)}`,
    [Symbol.asyncDispose]: () => close(server),
  };
}

function serverOf(listener: RequestListener): Server {
  const server = createServer(
    {
      maxHeaderSize: limits.endpointHeadBytesMax,
      ...noTimeouts,
      // A client that offers HTTP/2 or a WebSocket next to its request is answered over HTTP/1.1.
      shouldUpgradeCallback: () => false,
    },
    listener,
  );
  keepRoom(server, limits.endpointConnectionsMax);
  return server;
}

const patience: ClientPatience = {
  lookEvery: limits.endpointLookEvery,
  requestLooks: limits.endpointRequestTimeout / limits.endpointLookEvery,
  answerLooks: limits.scrapeWithin / limits.endpointLookEvery,
};

/** What is read in pieces has to wait where as many as may do so are at it. */
const unlessLong = (answer: RouteResponse): RouteResponse =>
  typeof answer.body === "string"
    ? answer
    : sentence(
        503,
        `${limits.scrapesAtOnceMax} clients are already reading the metrics: try again later, or ask for less (?scope=agent, ?name[]=METRIC).`,
      );

function respond(
  request: IncomingMessage,
  response: ServerResponse,
  { status, type, body }: RouteResponse,
  streams: Streams,
): void {
  // What comes with a method that is not answered is not read.
  if (status === 405)
    response.setHeaders(
      new Map([
        ["allow", "GET, HEAD"],
        ["connection", "close"],
      ]),
    );
  const isWhole = typeof body === "string";
  response.writeHead(status, {
    ...safetyHeaders("none"),
    "content-type": type,
    ...(isWhole ? { "content-length": Buffer.byteLength(body) } : {}),
  });
  if (request.method === "HEAD") response.end();
  else if (isWhole) response.end(body);
  else void streams.send(body, response);
}

/** A page that cannot be made is our bug: said, and no reason to stop. */
function guarded(answer: () => RouteResponse, log: Logger): RouteResponse {
  try {
    return answer();
  } catch (error) {
    log.error("the local endpoint could not answer", { error: String(error) });
    return sentence(500, "This is a bug in Picket: its log says more.");
  }
}

function answerFor(
  request: IncomingMessage,
  subject: Subject,
  answered: AnsweredHost,
): RouteResponse {
  if (request.method !== "GET" && request.method !== "HEAD")
    return sentence(405, "Only GET and HEAD are answered here.");
  if (!answered(request.headers.host ?? ""))
    return sentence(
      403,
      "This agent does not answer to that host name: use its address, or add the name to PICKET_LISTEN_HOSTS.",
    );
  return answerTo(request.url ?? "/", subject);
}

/** Readers can read again elsewhere, so a stop waits for none of them. */
async function close(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await closed;
}
