import { createReadStream } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { headersOf, tokenIn } from "#service/agents/admission";
import type { Locations } from "#service/agents/locations";
import type { AgentDownload, Handout } from "#service/downloads/agent-download";
import { Refusal } from "#service/edge/call-refusal";
import { isRead, pathOf, send } from "#service/edge/json-answer";

/** Where a machine finds the program of an agent. Commands that people kept name it. */
export const downloadPrefix = "/agent/";

export interface DownloadRooms {
  readonly download: Pick<AgentDownload, "handout">;
  readonly locations: Pick<Locations, "authenticate">;
}

/**
 * Answers below the prefix: the script to everyone, for it has no secret, and what it fetches to whoever has the token of a
 * location, so that no stranger draws a hundred megabytes. What names the location stays when its token is rotated.
 */
export async function downloadAnswer(
  { download, locations }: DownloadRooms,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const name = pathOf(request).slice(downloadPrefix.length);
  if (name !== "start.sh" && name !== "location" && name !== "picket.tgz" && name !== "runtime")
    return send(request, response, 404, "not_found", "there is nothing here");
  if (!isRead(request, response)) return;
  if (name === "start.sh") {
    const script = await scriptOf(download);
    writeHead(response, "text/plain; charset=utf-8", Buffer.byteLength(script));
    response.end(request.method === "HEAD" ? undefined : script);
    return;
  }
  const { id } = await locations.authenticate(tokenIn(headersOf(request.headers)));
  if (name === "location") {
    const line = `${id}\n`;
    writeHead(response, "text/plain; charset=utf-8", Buffer.byteLength(line));
    response.end(request.method === "HEAD" ? undefined : line);
    return;
  }
  const handout = await download.handout();
  writeHead(response, "application/octet-stream", lengthOf(name, handout));
  if (request.method === "HEAD") response.end();
  else if (name === "picket.tgz") response.end(handout.program);
  else await pipeline(createReadStream(handout.runtime.file), response);
}

/**
 * The script; one that says why there is none and fails, if there is none. `curl -f` drops the text of every other status,
 * and what it drops no one reads.
 */
async function scriptOf(download: DownloadRooms["download"]): Promise<string> {
  try {
    return (await download.handout()).script;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return `#!/bin/sh\nprintf '%s\\n' '${quoted(`picket: ${error.message}`)}' >&2\nexit 1\n`;
  }
}

const quoted = (text: string): string => text.replaceAll("'", `'\\''`);

const writeHead = (response: ServerResponse, type: string, length: number): ServerResponse =>
  response.writeHead(200, {
    "content-type": type,
    "content-length": length,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });

function lengthOf(name: "picket.tgz" | "runtime", { program, runtime }: Handout): number {
  switch (name) {
    case "picket.tgz":
      return program.length;
    case "runtime":
      return runtime.bytes;
  }
}
