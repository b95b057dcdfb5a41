/** What a real agent's heartbeat says, as far as pages show it. */
interface ShownBeat {
  readonly instanceId?: string;
  readonly agentVersion?: string;
  readonly hostname?: string;
  readonly monitorCount?: number;
  /** Its last one: it was stopped. */
  readonly leaving?: boolean;
}

/** A heartbeat of an agent with this token; gives the status of the answer. */
export async function agentBeat(
  serviceUrl: string,
  token: string,
  said: ShownBeat = {},
): Promise<number> {
  const answer = await fetch(`${serviceUrl}/private_location.v1.PrivateLocationService/Heartbeat`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-service-token": token },
    body: JSON.stringify({ instanceId: "gw-1", hostname: "gw-1", agentVersion: "0.1.0", ...said }),
  });
  await answer.body?.cancel();
  return answer.status;
}
