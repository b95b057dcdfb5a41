import { createReadStream } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { headersOf, tokenIn } from "#service/agents/admission";
import type { Locations } from "#service/agents/locations";
import type { AgentDownload, Handout } from "#service/downloads/agent-download";
import { isRead, pathOf, send } from "#service/edge/json-answer";

/** Where a machine finds the program of an agent. Commands that people kept name it. */
export const downloadPrefix = "/agent/";

export interface DownloadRooms {
  readonly download: Pick<AgentDownload, "handout">;
  readonly locations: Pick<Locations, "authenticate">;
}

/**
 * Answers below the prefix: the script to everyone, for it has no secret, and what it fetches to whoever has the token of a
 * location, so that no stranger draws a hundred megabytes.
 */
export async function downloadAnswer(
  { download, locations }: DownloadRooms,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const name = pathOf(request).slice(downloadPrefix.length);
  if (name !== "start.sh" && name !== "picket.tgz" && name !== "runtime")
    return send(request, response, 404, "not_found", "there is nothing here");
  if (!isRead(request, response)) return;
  if (name !== "start.sh") await locations.authenticate(tokenIn(headersOf(request.headers)));
  const handout = await download.handout();
  response.writeHead(200, {
    "content-type": name === "start.sh" ? "text/plain; charset=utf-8" : "application/octet-stream",
    "content-length": lengthOf(name, handout),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  if (request.method === "HEAD") response.end();
  else if (name === "start.sh") response.end(handout.script);
  else if (name === "picket.tgz") response.end(handout.program);
  else await pipeline(createReadStream(handout.runtime.file), response);
}

function lengthOf(
  name: "start.sh" | "picket.tgz" | "runtime",
  { script, program, runtime }: Handout,
): number {
  switch (name) {
    case "start.sh":
      return Buffer.byteLength(script);
    case "picket.tgz":
      return program.length;
    case "runtime":
      return runtime.bytes;
  }
}
