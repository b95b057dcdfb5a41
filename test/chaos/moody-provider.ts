import { createServer, type IncomingHttpHeaders } from "node:http";
import { once } from "node:events";
import { listenLocally } from "../servers/listen-locally.ts";

/** How a provider behaves for a while. One that hangs up has taken the message, and its sender cannot know. */
export type Mood = "well" | "down" | "slow" | "limits" | "fails" | "hangs up";

/** A message that a provider took. */
export interface TakenMessage {
  readonly at: number;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A stand-in for every provider, each at a separate path, that can be put in a mood. */
export interface MoodyProvider extends AsyncDisposable {
  readonly url: string;
  /** By the first part of the path. */
  become(name: string, mood: Mood): void;
  readonly taken: readonly TakenMessage[];
  /** Requests that it did not take. */
  readonly refused: number;
}

/** How long a slow one thinks; far under the 15 s that a message has. */
const slowness = 1_500;

export async function openMoodyProvider(): Promise<MoodyProvider> {
  const moods = new Map<string, Mood>();
  const taken: TakenMessage[] = [];
  let refused = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("error", () => {});
    response.on("error", () => {});
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { url: path = "/", headers } = request;
      const mood = moods.get(path.split("/")[1] ?? "") ?? "well";
      const take = (): void => {
        const body = Buffer.concat(chunks).toString();
        taken.push({ at: Date.now(), path, headers, body });
      };
      const accept = (): void => {
        response.writeHead(path.startsWith("/v2") ? 202 : 200, { "content-type": "text/plain" });
        response.end("ok");
      };
      // What is taken is taken when it comes, however late its answer: else a sender that was killed meanwhile could be
      // blamed for an order that no sender knows.
      if (mood === "well" || mood === "slow" || mood === "hangs up") take();
      else refused += 1;
      if (mood === "well") return accept();
      if (mood === "slow") return void setTimeout(accept, slowness);
      if (mood === "down" || mood === "hangs up") return void request.socket.destroy();
      response.writeHead(
        mood === "limits" ? 429 : 500,
        mood === "limits" ? { "retry-after": "2" } : {},
      );
      response.end();
    });
  });
  const port = await listenLocally(server);
  return {
    url: `http://127.0.0.1:${port}`,
    taken,
    become: (name, mood) => void moods.set(name, mood),
    get refused() {
      return refused;
    },
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
