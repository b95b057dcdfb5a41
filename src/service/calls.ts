import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { type ConnectRouter, createConnectRouter, createContextValues } from "@connectrpc/connect";
import {
  compressionBrotli,
  compressionGzip,
  universalRequestFromNodeRequest,
  universalResponseToNodeResponse,
} from "@connectrpc/connect-node";
import * as limits from "#limits/wire-limits";
import { actAsCaller, callersAddress } from "#service/agents/acting-caller";
import type { Block } from "#network/address-block";
import { readersAddress } from "#web/reader-address";
import type { Logger } from "#base/log";
import { type AgentApi, agentApi } from "#service/agents/agent-api";
import { auditApi } from "#service/api/audit-api";
import { deliveryApi } from "#service/api/delivery-api";
import { type IncidentApi, incidentApi } from "#service/api/incident-api";
import { maintenanceApi } from "#service/api/maintenance-api";
import { answerFaults, connectFault } from "#service/edge/connect-fault";
import { credentialOf, gateOf } from "#service/agents/admission";
import { type ChannelApi, channelApi } from "#service/api/channel-api";
import { CallBodies } from "#service/edge/call-body";
import { configurationApi, type ConfigurationApi } from "#service/api/configuration-api";
import { guardObjects, type ReadOnlyOwner } from "#service/configuration/object-guard";
import type { Keys } from "#service/edge/keys";
import { type LocationApi, locationApi } from "#service/api/location-api";
import { pathsOf } from "#service/edge/call-paths";
import type { Health } from "#service/health";
import { healthApi } from "#service/health-api";
import {
  numberedFields,
  refuseWords,
  watchedParts,
  watchFields,
} from "#service/edge/ignored-fields";
import { keyApi } from "#service/key-api";
import type { KeyPace } from "#service/edge/key-pace";
import { monitorStateApi } from "#service/api/monitor-state-api";
import { type MonitorApi, monitorApi } from "#service/api/monitor-api";
import { refuseNulls } from "#service/edge/null-characters";
import { ownBody, withOwnBody } from "#service/edge/own-body";
import { type PageApi, pageApi } from "#service/api/page-api";
import { reportApi } from "#service/api/report-api";

/** What the calls work on. */
interface ServiceRooms
  extends
    AgentApi,
    ChannelApi,
    ConfigurationApi,
    Omit<IncidentApi, "clock">,
    LocationApi,
    MonitorApi,
    Omit<PageApi, "clock"> {
  readonly keys: Keys;
  readonly pace: KeyPace;
  readonly health: Health;
  readonly readOnly: ReadOnlyOwner | null;
}

/**
 * Answers the calls of the contract, and leaves every other request to `plainly`. This is the library's own adapter
 * in small, because that one writes to the console.
 */
export function answerCalls(
  rooms: ServiceRooms,
  { log, trustedProxies }: CallOptions,
  plainly: RequestListener,
): RequestListener {
  const bodies = new CallBodies();
  const calls = new Map(
    routerOf(rooms, log).handlers.flatMap((call) =>
      pathsOf(call.method).map((path) => [path, call] as const),
    ),
  );
  return (request, response) => {
    const call = calls.get((request.url ?? "").split("?")[0] ?? "");
    if (call === undefined) plainly(request, response);
    else void answer({ call, bodies, trustedProxies }, request, response, log);
  };
}

interface CallOptions {
  readonly log: Logger;
  /** Proxies of ours, whose X-Forwarded-For says whose call it is. */
  readonly trustedProxies: readonly Block[];
}

type Call = ConnectRouter["handlers"][number];
type CallReply = Awaited<ReturnType<Call>>;

interface Answering extends Pick<CallOptions, "trustedProxies"> {
  readonly call: Call;
  readonly bodies: CallBodies;
}

async function answer(
  { call, bodies, trustedProxies }: Answering,
  request: IncomingMessage,
  response: ServerResponse,
  log: Logger,
): Promise<void> {
  try {
    const received = universalRequestFromNodeRequest(request, response, undefined, undefined);
    const bounded = bodies.bounded(received, call.method, credentialOf(received.header));
    const watched = watchFields(bounded, call.method.input);
    const contextValues = createContextValues()
      .set(watchedParts, watched.unknown)
      .set(callersAddress, readersAddress(request, trustedProxies));
    const answer = await blameSender(await call({ ...watched.request, contextValues }));
    const body = contextValues.get(ownBody);
    const packings = received.header.get("accept-encoding");
    const whole = body === null ? answer : await withOwnBody(answer, body, packings);
    const ignored = [...watched.unknown().fields, ...contextValues.get(numberedFields)];
    await universalResponseToNodeResponse(namingIgnored(whole, ignored), response);
  } catch (error) {
    // The caller went away, or sent what is no HTTP; no one waits for an answer.
    log.debug("a call was not answered", {
      "rpc.method": call.method.name,
      "error.message": String(error),
    });
    response.destroy();
  }
}

/** Fields that were passed over are named, so that a misspelt one is found. */
function namingIgnored(answer: CallReply, names: readonly string[]): CallReply {
  if (names.length === 0) return answer;
  const header = new Headers(answer.header);
  header.set("picket-ignored-fields", names.join(", "));
  return { ...answer, header };
}

/**
 * What the library answers to a body that it cannot parse is put in words of ours: it says 500 where that is binary,
 * which an agent would send again and again, and quotes it where it is JSON, and that may be a secret.
 */
async function blameSender(answer: CallReply): Promise<CallReply> {
  if ((answer.status !== 400 && answer.status !== 500) || answer.body === undefined) return answer;
  const parts = await Array.fromAsync(answer.body);
  const where = whereUnparsed(await messageIn(Buffer.concat(parts), new Headers(answer.header)));
  if (where === null) return { ...answer, body: again(parts) };
  const message = `the body is not a message of this call${where === "" ? "" : `: ${where} cannot be read`}`;
  const bytes = Buffer.from(JSON.stringify({ code: "invalid_argument", message }));
  const header = new Headers(answer.header);
  header.delete("content-encoding");
  header.set("content-length", String(bytes.length));
  return { ...answer, status: 400, header, body: again([bytes]) };
}

const compressions = [compressionGzip, compressionBrotli];

/** The message of an error as the library has written it. */
async function messageIn(body: Uint8Array, header: Headers): Promise<string> {
  const used = compressions.find(({ name }) => name === header.get("content-encoding"));
  const plain = await (used?.decompress(body, limits.serviceAnswerBytesMax) ?? body);
  const error: unknown = JSON.parse(Buffer.from(plain).toString());
  const isError = typeof error === "object" && error !== null && "message" in error;
  return isError ? String(error.message) : "";
}

/** The name in the contract that could not be read, empty if the library names none; null for every other error. */
function whereUnparsed(message: string): string | null {
  const found = /^(?:parse binary: |cannot decode (?:(?:message|field|enum) )?([\w.]*))/.exec(
    message,
  );
  return found === null ? null : (found[1] ?? "");
}

/** The library takes a body only in parts that come one after another. */
async function* again(parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts;
}

function routerOf(rooms: ServiceRooms, log: Logger): ConnectRouter {
  const admit = gateOf(rooms.keys, rooms.pace, rooms.locations);
  const router = createConnectRouter({
    requestGate: async (context) => {
      try {
        await admit(context);
      } catch (error) {
        throw connectFault(error, context.method.name, log);
      }
    },
    interceptors: [
      answerFaults(log),
      refuseWords,
      refuseNulls,
      guardObjects(rooms),
      actAsCaller(rooms.clock),
    ],
    // The specification's answers have their collections and flags also if they are empty or false.
    jsonOptions: { alwaysEmitImplicit: true },
    acceptCompression: compressions,
    readMaxBytes: limits.serviceRequestBytesMax,
    writeMaxBytes: limits.serviceAnswerBytesMax,
    // The agents and the clients speak Connect; what is not spoken cannot be attacked.
    grpc: false,
    grpcWeb: false,
  });
  agentApi(router, rooms);
  monitorApi(router, rooms);
  monitorStateApi(router, rooms);
  locationApi(router, rooms);
  channelApi(router, rooms);
  incidentApi(router, rooms);
  deliveryApi(router, rooms);
  maintenanceApi(router, rooms);
  pageApi(router, rooms);
  reportApi(router, rooms);
  configurationApi(router, rooms);
  keyApi(router, rooms.keys);
  auditApi(router, rooms);
  healthApi(router, rooms.health);
  return router;
}
