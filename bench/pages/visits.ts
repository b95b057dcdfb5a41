import { get, type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { gunzipSync } from "node:zlib";
import { queuedFor } from "../running-service.ts";

/** A request as a browser makes it, and what it took. */
export interface Visit {
  readonly firstByteMillis: number;
  /** How much of that the service's main thread, which is the reader's as well, waited for a processor that others had. */
  readonly queuedMillis: number;
  /** Of all threads of the service, and of the reader here. */
  readonly processorMillis: number;
  readonly bytes: number;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export const visit = (url: string): Promise<Visit> =>
  measured((onAnswer) =>
    get(url, { headers: { "accept-encoding": "gzip, br", accept: "text/html" } }, onAnswer),
  );

/** Sends a form of the page that is there, as a person without a script does. */
export const send = (
  url: string,
  formToken: string,
  fields: Readonly<Record<string, string>>,
): Promise<Visit> => {
  const body = new URLSearchParams({ form: formToken, ...fields }).toString();
  const headers = {
    "content-type": "application/x-www-form-urlencoded",
    "content-length": Buffer.byteLength(body),
    origin: new URL(url).origin,
    accept: "text/html",
  };
  return measured((onAnswer) => {
    const sent = request(url, { method: "POST", headers }, onAnswer);
    sent.end(body);
    return sent;
  });
};

export const formTokenIn = ({ text }: Visit): string =>
  /name="form" value="([^"]+)"/.exec(text)?.[1] ?? "";

type Asking = (onAnswer: (answer: IncomingMessage) => void) => ReturnType<typeof request>;

const measured = (ask: Asking): Promise<Visit> =>
  new Promise((resolve, reject) => {
    const queuedBefore = queuedFor(process.pid);
    const begun = performance.now();
    const before = process.cpuUsage();
    ask((answer) => {
      const firstByteMillis = performance.now() - begun;
      const queuedMillis = queuedFor(process.pid) - queuedBefore;
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => parts.push(part));
      answer.on("end", () => {
        const body = Buffer.concat(parts);
        const { user, system } = process.cpuUsage(before);
        const isPacked = answer.headers["content-encoding"] === "gzip";
        resolve({
          firstByteMillis,
          queuedMillis,
          processorMillis: (user + system) / 1_000,
          bytes: body.length,
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          text: (isPacked ? gunzipSync(body) : body).toString(),
        });
      });
    }).on("error", reject);
  });
