import { once } from "node:events";
import { onTestFinished } from "vitest";
import { WebSocket } from "ws";
import type { Clock } from "#base/clock";

/** An agent's end of a push channel, made by hand. */
export interface AgentChannel {
  readonly socket: WebSocket;
  /** What the service said, parsed. */
  readonly told: readonly Told[];
  readonly closed: Promise<{ code: number; reason: string }>;
}
export interface Told {
  readonly assignmentChanged?: { readonly revision: string };
  readonly checkNow?: { readonly requestId: string; readonly monitorId: string };
  readonly drain?: object;
}

export const watchPath = "/private_location.v1.PrivateLocationService/Watch";

/** A channel at which the service has said its first revision. */
export async function connected(
  { url }: { readonly url: string },
  token: string,
  options: { autoPong?: boolean } = {},
): Promise<AgentChannel> {
  const socket = new WebSocket(`${url}${watchPath}`, {
    headers: { "x-service-token": token },
    ...options,
  });
  onTestFinished(() => socket.terminate());
  const told: Told[] = [];
  socket.on("message", (data: Buffer) => void told.push(JSON.parse(data.toString())));
  socket.on("error", () => {});
  const closed = new Promise<{ code: number; reason: string }>((resolve) =>
    socket.on("close", (code, reason) => resolve({ code, reason: String(reason) })),
  );
  await once(socket, "message");
  return { socket, told, closed };
}

/** Answers every question as an agent of this name would: the check of this kind succeeded. */
export function answering(
  { socket }: AgentChannel,
  instanceId: string,
  clock: Pick<Clock, "wall">,
  kind: "http" | "tcp" = "tcp",
): void {
  socket.on("message", (data: Buffer) => {
    const { checkNow }: Told = JSON.parse(data.toString());
    if (checkNow === undefined) return;
    const { requestId, monitorId } = checkNow;
    const timestamp = String(clock.wall());
    const result = { [kind]: { monitorId, requestStatus: "success", latency: "3", timestamp } };
    socket.send(JSON.stringify({ checkNowAnswer: { requestId, instanceId, result } }));
  });
}
