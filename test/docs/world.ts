import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import dgram from "node:dgram";
import http from "node:http";
import https from "node:https";
import net from "node:net";
import packet from "dns-packet";
import { SMTPServer } from "smtp-server";
import { Authority } from "../support/authority.ts";

/* What the examples of the pages talk to, on a reader's machine (machine.sh): names, servers, and the files of /etc. */

const company = "10.0.0.1";
const outside = "192.0.2.1";

/** Names that examples use; each is an https server that says that it is well. */
const names: Readonly<Record<string, string>> = {
  "shop.internal": company,
  "blog.internal": company,
  "db.internal": company,
  "service.internal": company,
  "shop.example.com": "10.0.0.7",
  "example.com": outside,
  "mail.example.com": outside,
  "picket.example.com": "127.0.0.1",
  "watcher.example.com": outside,
  "hooks.slack.com": outside,
  "ntfy.sh": outside,
};

const authority = await Authority.create("The authority of the examples");
const { cert, key } = await authority.issue({
  name: "shop.internal",
  altNames: Object.keys(names),
});
appendFileSync("/etc/ssl/certs/ca-certificates.crt", authority.cert);

/** Files that examples name, as somebody has them who came to the example. */
const files: Readonly<Record<string, string>> = {
  "/etc/picket/ca.pem": authority.cert,
  "/etc/picket/tls/certificate": cert,
  "/etc/picket/tls/key": key,
  "/etc/picket/client.crt": cert,
  "/etc/picket/client.key": key,
  "/etc/picket/oidc-secret": "the-secret-of-a-client\n",
  "/etc/picket/token": "pkt_loc_0000000000000000000000000000000000000000000\n",
  "/run/secrets/picket-token": "pkt_loc_0000000000000000000000000000000000000000000\n",
  "/run/secrets/shop-key": "a key\n",
  "/run/secrets/ntfy": "tk_0123456789\n",
  "/run/secrets/ops-webhook": "https://hooks.slack.com/services/T0/B0/x\n",
};
/** Folders that examples write to. */
const folders = ["/backup", "/var/lib/node_exporter", "/var/www"];
for (const folder of ["/etc/picket/tls", "/run/secrets", ...folders])
  mkdirSync(folder, { recursive: true });
for (const [file, text] of Object.entries(files)) writeFileSync(file, text);
// Examples are tried by an ordinary user as well.
execFileSync("chmod", ["-R", "a+rX", "/etc/picket", "/run/secrets"]);
execFileSync("chown", ["1000", "/etc/picket", ...folders]);

const answer: http.RequestListener = (request, response) => {
  const { host = "" } = request.headers;
  if (host === "picket.example.com") return passOn(request, response);
  request.resume();
  if (host === "hooks.slack.com") response.writeHead(200).end("ok");
  else response.writeHead(200, { "content-type": "application/json" }).end('{"ok":true}\n');
};

/** The service of examples is behind a proxy that speaks TLS. */
function passOn(request: http.IncomingMessage, response: http.ServerResponse): void {
  const { method, url, headers } = request;
  const onwards = http.request({ port: 8787, method, path: url, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  onwards.on("error", () => response.writeHead(502).end());
  request.pipe(onwards);
}
const listening: Promise<unknown>[] = [];
const listen = (server: net.Server, port: number): void => {
  listening.push(new Promise((resolve) => server.listen(port, "::", () => resolve(undefined))));
};
listen(http.createServer(answer), 80);
listen(https.createServer({ cert, key }, answer), 443);
// A collector takes whatever comes; a database waits for the client's first word.
listen(http.createServer(answer), 4318);
listen(
  net.createServer((socket) => socket.resume().on("error", () => {})),
  5432,
);
const mail = new SMTPServer({ authOptional: true, disabledCommands: ["STARTTLS"], logger: false });
mail.on("error", () => {});
listen(mail.server, 25);

const resolver = dgram.createSocket("udp4");
resolver.on("message", (bytes, { port, address }) => {
  const query = packet.decode(bytes);
  resolver.send(packet.encode({ ...answerTo(query), id: query.id ?? 0 }), port, address);
});
listening.push(new Promise((resolve) => resolver.bind(53, "10.0.0.53", () => resolve(undefined))));

function answerTo(query: packet.DecodedPacket): packet.Packet {
  const [question] = query.questions ?? [];
  const name = question?.name ?? "";
  const address = names[name];
  const flags = packet.RECURSION_DESIRED | packet.RECURSION_AVAILABLE | packet.AUTHORITATIVE_ANSWER;
  const base = { type: "response", questions: query.questions ?? [] } as const;
  if (address === undefined) return { ...base, flags: flags | 3 };
  if (question?.type === "A")
    return { ...base, flags, answers: [{ type: "A", name, ttl: 60, data: address }] };
  if (question?.type === "MX")
    return {
      ...base,
      flags,
      answers: [
        { type: "MX", name, ttl: 60, data: { preference: 10, exchange: "mail.example.com" } },
      ],
    };
  return { ...base, flags };
}

await Promise.all(listening);
process.stdout.write("the world is there\n");
