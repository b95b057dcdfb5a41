import http, { type Agent, type IncomingMessage } from "node:http";
import https from "node:https";
import { CannotDo } from "#cli/management/with-service";
import { serviceWay } from "#cli/management/service-way";
import { systemClock } from "#base/clock";
import type { ServiceAccess } from "#agent/settings/config";
import { startDeadline } from "#base/deadline";
import * as limits from "#limits/wire-limits";
import { serviceAgent } from "#transport/service-dialer";
import { millis } from "#base/units";

/** Reads documents from a service, one after the other; one that is not there ends it. */
export async function readPage(
  access: ServiceAccess,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<readonly Buffer[]> {
  const base = `${access.serviceUrl.replace(/\/+$/, "")}/`;
  const agent = serviceAgent(access.serviceUrl, serviceWay(access));
  const all: Buffer[] = [];
  try {
    for (const path of paths) all.push(await read(new URL(path, base), agent, signal));
  } finally {
    agent.destroy();
  }
  return all;
}

async function read(url: URL, agent: Agent, signal: AbortSignal): Promise<Buffer> {
  using deadline = startDeadline(systemClock, millis(limits.serviceCallTimeout), signal);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const get = (url.protocol === "https:" ? https : http).get;
    get(url, { agent, signal: deadline.signal }, resolve).on("error", reject);
  }).catch(() => {
    throw new CannotDo(`the service did not answer to ${url.pathname}: try again`);
  });
  if (response.statusCode !== 200) {
    response.resume();
    throw new CannotDo(`the service answered ${response.statusCode} to ${url.pathname}`);
  }
  return await bodyOf(response);
}

async function bodyOf(response: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of response) {
    if (!Buffer.isBuffer(part)) continue;
    length += part.length;
    if (length > limits.serviceAnswerBytesMax)
      throw new CannotDo("a document of the page is too long");
    parts.push(part);
  }
  return Buffer.concat(parts);
}
