import { once } from "node:events";
import http from "node:http";
import net from "node:net";

/** Answers a call itself, in place of the service. */
export type Usurper = (method: string, body: Buffer, response: http.ServerResponse) => void;

/**
 * The address that the agent has of its service. All that the agent sends there is kept, and goes on to the real service, or
 * to whoever has taken its place.
 */
export interface RecordedWire extends AsyncDisposable {
  readonly url: string;
  /** Every byte of the agent so far: heads, bodies, and messages of the push channel. */
  sent(): Buffer;
  /** From now on these answers are given; null forwards again. */
  usurp(usurper: Usurper | null): void;
}

export async function recordedWire(
  address: { readonly host: string; readonly port: number },
  real: { readonly host: string; readonly port: number },
): Promise<RecordedWire> {
  const kept: Buffer[] = [];
  const place: { usurper: Usurper | null } = { usurper: null };
  const server = http.createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const body = Buffer.concat(parts);
      kept.push(Buffer.from(`${request.url} ${JSON.stringify(request.headers)}\n`), body);
      const method = request.url?.split("/").at(-1) ?? "";
      if (place.usurper === null) forward(request, body, response, real);
      else place.usurper(method, body, response);
    });
  });
  server.on("upgrade", (request, socket, head) => {
    kept.push(Buffer.from(`${request.url} ${JSON.stringify(request.headers)}\n`));
    if (place.usurper !== null) return void socket.destroy();
    const there = net.connect(real.port, real.host);
    const raw = request.rawHeaders;
    const lines = raw.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${raw[at + 1]}`] : []));
    there.write(`GET ${request.url} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
    there.write(head);
    const unmask = unmasked();
    socket.on("data", (bytes: Buffer) => void kept.push(unmask(bytes)));
    socket.pipe(there).pipe(socket);
    for (const one of [socket, there]) one.on("error", () => (socket.destroy(), there.destroy()));
  });
  server.listen(address.port, address.host);
  await once(server, "listening");
  return {
    url: `http://${address.host}:${address.port}`,
    sent: () => Buffer.concat(kept),
    usurp: (usurper) => {
      place.usurper = usurper;
      server.closeAllConnections();
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function forward(
  { method, url, headers }: http.IncomingMessage,
  body: Buffer,
  response: http.ServerResponse,
  real: { readonly host: string; readonly port: number },
): void {
  const asked = http.request(
    { ...real, method, path: url, headers: { ...headers, connection: "close" } },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    },
  );
  asked.on("error", () => response.destroy());
  asked.end(body);
}

/** The messages of a client of RFC 6455, whose bytes are masked; the agent sends no fragments. */
function unmasked(): (bytes: Buffer) => Buffer {
  let rest = Buffer.alloc(0);
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    const plain: Buffer[] = [];
    for (;;) {
      const frame = frameIn(rest);
      if (frame === null) return Buffer.concat(plain);
      plain.push(frame.payload);
      rest = rest.subarray(frame.length);
    }
  };
}

function frameIn(bytes: Buffer): { readonly payload: Buffer; readonly length: number } | null {
  const short = (bytes[1] ?? 0) & 0x7f;
  const head = short === 126 ? 4 : short === 127 ? 10 : 2;
  if (bytes.length < head + 4) return null;
  const size =
    short === 126
      ? bytes.readUInt16BE(2)
      : short === 127
        ? Number(bytes.readBigUInt64BE(2))
        : short;
  const length = head + 4 + size;
  if (bytes.length < length) return null;
  const mask = bytes.subarray(head, head + 4);
  const payload = Buffer.from(bytes.subarray(head + 4, length));
  for (let at = 0; at < payload.length; at += 1)
    payload[at] = (payload[at] ?? 0) ^ (mask[at % 4] ?? 0);
  return { payload, length };
}
