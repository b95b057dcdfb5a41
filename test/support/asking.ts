import type { HttpTarget } from "#check/monitor";
import type { HttpOutcome } from "#check/outcome";
import { probeHttp } from "#probes/http/http";
import { type Script, tcpPeer } from "../servers/scripted.ts";
import { attempt, contextWith, httpTarget, patience } from "./probing.ts";
import { expectTimingContract } from "./timing-contract.ts";

export interface Asking {
  readonly target?: Partial<HttpTarget>;
  readonly context?: Parameters<typeof contextWith>[0];
  /** Milliseconds, or what the time is up with, whatever the clock says. */
  readonly timeout?: number | Promise<unknown>;
}

/** What a peer that follows the script makes of one check; every check keeps the timing contract. */
export async function ask(script: Script, asking: Asking = {}): Promise<HttpOutcome> {
  await using peer = await tcpPeer(script);
  return await askAt(`http://127.0.0.1:${peer.port}/`, asking);
}

export async function askAt(
  url: string,
  { target, context, timeout }: Asking = {},
): Promise<HttpOutcome> {
  const asked = httpTarget(url, target);
  const outcome = await attempt(probeHttp, asked, contextWith(context), timeout ?? patience);
  expectTimingContract(outcome);
  return outcome;
}

export const bodyText = ({ response }: HttpOutcome): string =>
  Buffer.from(response?.body ?? []).toString();
export const statusOf = ({ response }: HttpOutcome): number | null => response?.statusCode ?? null;
