import http from "node:http";
import https from "node:https";
import { TLSSocket } from "node:tls";
import type { Config } from "#agent/settings/config";
import { serviceOf } from "#cli/agent/agent-service";
import { failed, fine, type Finding, warning } from "#cli/doctor/finding";
import { serviceWay } from "#cli/management/service-way";
import { serviceTrouble } from "#transport/service-trouble";
import { systemClock } from "#base/clock";
import { PrivateLocationService } from "#contract/private_location/v1/private_location_pb";
import { startDeadline } from "#base/deadline";
import * as checkLimits from "#limits/check-limits";
import * as vantageLimits from "#limits/vantage-limits";
import * as wireLimits from "#limits/wire-limits";
import { silentLogger } from "#base/log";
import { hostPortOf, showHostPort } from "#network/host-port";
import { serviceAgent } from "#transport/service-dialer";
import { wayFailure } from "#transport/service-failure";
import { between, epochMillis, millis } from "#base/units";

/** The way to the service, its certificate, the token, the clock, and what the service has of the extension. */
export async function serviceFindings(config: Config): Promise<readonly Finding[]> {
  const about = "service";
  const sentAt = systemClock.wall();
  let pulled: ServiceReply;
  try {
    pulled = await post(config, "Monitors", config.token.secret.reveal(), pull);
  } catch (error) {
    const failure = wayFailure(error);
    const why = failure ?? error;
    const says = Error.isError(why) ? why.message : "unknown";
    const reason = failure?.reason ?? "unavailable";
    const { nextStep } = serviceTrouble(reason, { proxied: config.serviceProxy !== null });
    return [failed(about, says, nextStep)];
  }
  const skew = skewFinding(pulled.date, sentAt);
  const { host, port } = hostPortOf(new URL(config.serviceUrl));
  const way = config.serviceProxy === null ? "" : ", through a proxy";
  return [
    fine(about, `${showHostPort(host, port)} answers${way}`),
    ...certificateFindings(pulled.certificateEnds),
    tokenFinding(pulled.status, config),
    skew,
    ...(pulled.status === 200 ? await extensionFindings(config) : []),
  ];
}

const day = 86_400_000;

function certificateFindings(ends: number | null): readonly Finding[] {
  if (ends === null) return [];
  const left = Math.floor((ends - systemClock.wall()) / day);
  const says = `the service's certificate is trusted and ends in ${left} days`;
  return left < checkLimits.certificateDaysMin
    ? [warning("certificate", says, "ask whoever runs the service to renew it")]
    : [fine("certificate", says)];
}

function tokenFinding(status: number, { tokenHeader, serviceUrl }: Config): Finding {
  const about = "token";
  if (status === 200) return fine(about, `the service takes it in the header ${tokenHeader}`);
  if (status === 401 || status === 403)
    return failed(
      about,
      `the service refuses it in the header ${tokenHeader} (status ${status})`,
      "copy the location's token again, into PICKET_TOKEN or the file it is read from; another service may want another PICKET_TOKEN_HEADER, e.g. openstatus-token",
    );
  if (status === 404 || status === 405)
    return failed(
      about,
      `the answer is not from the service's interface (status ${status})`,
      `check the path and the host of SERVICE_API_URL (${new URL(serviceUrl).pathname})`,
    );
  return failed(about, `the service failed with status ${status}`, "see the service's log");
}

/** A Date header has whole seconds, which began half a second ago on average. */
function skewFinding(date: number, sentAt: number): Finding {
  const about = "clock";
  if (Number.isNaN(date)) return fine(about, "the service does not say its time");
  const now = systemClock.wall();
  const ours = epochMillis((sentAt + now) / 2);
  const skew = Math.abs(between(epochMillis(date + 500), ours));
  const says = `${(skew / 1000).toFixed(1)} s between this machine's and the service's`;
  const next = "keep this machine's time in sync by NTP: slots and timestamps of results follow it";
  if (skew > vantageLimits.clockSkewMax) return failed(about, says, next);
  return skew > vantageLimits.clockSkewOdd ? warning(about, says, next) : fine(about, says);
}

async function extensionFindings(config: Config): Promise<readonly Finding[]> {
  const [batches, pushes] = await Promise.all([hasBatches(config), hasPush(config)]);
  return [
    fine(
      "batches",
      batches
        ? "the service takes them"
        : "not supported by this service: results are sent one by one",
    ),
    fine("push channel", pushes),
  ];
}

/** Asked without a token, so that nothing comes of it: only who knows the call refuses that. */
async function hasBatches(config: Config): Promise<boolean> {
  const { status } = await post(config, "IngestBatch", null, {});
  return status === 401 || status === 403;
}

async function hasPush(config: Config): Promise<string> {
  const { watch } = serviceOf(config, config.instance ?? "picket-doctor", silentLogger);
  if (watch === null) return "off by PICKET_WATCH: changes arrive with the next poll";
  const leave = new AbortController();
  let isOpen = false;
  using deadline = startDeadline(systemClock, wireLimits.serviceDialTimeout);
  const opened = (): void => {
    isOpen = true;
    leave.abort();
  };
  const listener = { opened, pushed: () => {} };
  const why = await watch.attend(listener, AbortSignal.any([leave.signal, deadline.signal]));
  return isOpen ? "changes are pushed" : `changes arrive with the next poll: ${why.message}`;
}

/** An empty pull would be a sign of life of an agent that sends no heartbeats. */
const pull = { placement: "PLACEMENT_EVERYWHERE" };

interface ServiceReply {
  readonly status: number;
  /** Epoch ms of the Date header; NaN without one. */
  readonly date: number;
  /** When the certificate ends, epoch ms; null without TLS. */
  readonly certificateEnds: number | null;
}

/** A call as the agent makes it, of which only the surroundings are looked at. It names no instance: nothing is assigned. */
async function post(
  config: Config,
  call: string,
  token: string | null,
  body: object,
): Promise<ServiceReply> {
  const { serviceUrl, tokenHeader } = config;
  const url = new URL(
    `${serviceUrl.replace(/\/+$/, "")}/${PrivateLocationService.typeName}/${call}`,
  );
  const agent = serviceAgent(serviceUrl, serviceWay(config));
  using deadline = startDeadline(systemClock, millis(wireLimits.serviceCallTimeout));
  try {
    return await new Promise((resolve, reject) => {
      const request = (url.protocol === "https:" ? https : http).request(url, {
        method: "POST",
        agent,
        signal: deadline.signal,
        headers: {
          "content-type": "application/json",
          "connect-protocol-version": "1",
          ...(token === null ? {} : { [tokenHeader]: token }),
        },
      });
      request.on("error", (error) =>
        reject(deadline.ended === "timeout" ? new Error("the service does not answer") : error),
      );
      request.on("response", (response) => resolve(replyOf(response)));
      request.end(JSON.stringify(body));
    });
  } finally {
    agent.destroy();
  }
}

function replyOf(response: http.IncomingMessage): ServiceReply {
  const { socket } = response;
  const certificate = socket instanceof TLSSocket ? socket.getPeerX509Certificate() : null;
  response.resume();
  return {
    status: response.statusCode ?? 0,
    date: Date.parse(response.headers.date ?? ""),
    certificateEnds: certificate?.validToDate.getTime() ?? null,
  };
}
