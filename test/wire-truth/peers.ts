import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Daemon, startDaemon } from "../lab/daemon.ts";
import { closedPort } from "../servers/scripted.ts";
import { recordBytesMin } from "./exchange-on-wire.ts";

/** Checks go to these in turn, so that each connection in a capture can be told whose it is. */
export const addresses: readonly string[] = Array.from(
  { length: 64 },
  (_, n) => `127.0.1.${n + 1}`,
);

/** Not to be squeezed below `recordBytesMin` by HTTP/2's header compression. */
export const padding: string = Buffer.from(
  Array.from({ length: recordBytesMin * 1.5 }, (_, n) => (n * 7919 + (n >> 3) * 104_729) % 256),
).toString("base64");

export interface WebPeer extends Daemon {
  readonly plain: number;
  readonly ecdsa: number;
  readonly rsa: number;
  readonly caFile: string;
}

/** nginx: plain, and TLS 1.3 with an ECDSA and an RSA certificate for all of these addresses. */
export async function startWebPeer(
  folder: string,
  names: readonly string[] = addresses,
): Promise<WebPeer> {
  const [plain, ecdsa, rsa] = [await closedPort(), await closedPort(), await closedPort()];
  writeAuthority(folder);
  const altNames = names.map((address) => `IP:${address}`).join(",");
  writeIdentity(folder, "ecdsa", "ec -pkeyopt ec_paramgen_curve:P-256", altNames);
  writeIdentity(folder, "rsa", "rsa:2048", altNames);
  mkdirSync(path.join(folder, "tmp"));
  const secure = (port: number, name: string): string =>
    `server { listen ${port} ssl http2; ssl_certificate ${name}.crt; ssl_certificate_key ${name}.key; include answer; }`;
  writeFileSync(
    path.join(folder, "answer"),
    `location / { add_header x-fill ${padding}; return 200 "${"x".repeat(1024)}"; }`,
  );
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path tmp/${name};`)
    .join(" ");
  writeFileSync(
    path.join(folder, "nginx.conf"),
    `daemon off; pid nginx.pid; error_log stderr crit; worker_processes 1;
    events { worker_connections 4096; }
    http { access_log off; ${temporary} ssl_protocols TLSv1.3; ssl_session_cache off; ssl_session_tickets off; keepalive_timeout 5;
      server { listen ${plain}; include answer; }
      ${secure(ecdsa, "ecdsa")} ${secure(rsa, "rsa")} }`,
  );
  const args = ["-p", folder, "-c", path.join(folder, "nginx.conf")];
  const daemon = await startDaemon("nginx", args, { folder, port: plain });
  return disposing(daemon, { plain, ecdsa, rsa, caFile: path.join(folder, "ca.crt") });
}

function writeAuthority(folder: string): void {
  openssl(folder, [
    ..."req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes".split(" "),
    ..."-keyout ca.key -out ca.crt -days 2 -subj /CN=wire-truth".split(" "),
  ]);
}

function writeIdentity(folder: string, name: string, key: string, altNames: string): void {
  openssl(folder, [
    ...`req -x509 -newkey ${key} -nodes -CA ca.crt -CAkey ca.key`.split(" "),
    ...`-keyout ${name}.key -out ${name}.crt -days 2 -subj /CN=${name}`.split(" "),
    ...`-addext subjectAltName=${altNames} -addext basicConstraints=critical,CA:FALSE`.split(" "),
  ]);
}

function openssl(folder: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync("openssl", [...args], { cwd: folder, encoding: "utf8" });
  if (status !== 0) throw new Error(`openssl ${args[0] ?? ""}: ${stderr}`);
}

export interface NamePeer extends Daemon {
  readonly port: number;
}

/** knot with one name. */
export async function startNamePeer(folder: string): Promise<NamePeer> {
  const port = await closedPort();
  writeFileSync(
    path.join(folder, "wire.zone"),
    "$ORIGIN wire.test.\n$TTL 60\n@ SOA ns hostmaster 1 60 60 600 60\n@ NS ns\nns A 127.0.0.1\n* A 10.0.0.1\na A 10.0.0.1\n",
  );
  writeFileSync(
    path.join(folder, "knot.conf"),
    `server:
  rundir: ${folder}
  listen: 0.0.0.0@${port}
  udp-workers: 1
  background-workers: 1
database:
  storage: ${folder}
log:
  - target: stderr
    any: warning
zone:
  - domain: wire.test
    storage: ${folder}
    file: wire.zone
    zonefile-sync: -1
`,
  );
  const args = ["-c", path.join(folder, "knot.conf")];
  return disposing(await startDaemon("knotd", args, { folder, port }), { port });
}

/** Symbols are lost when an object is spread. */
const disposing = <T extends object>(daemon: Daemon, more: T): Daemon & T => ({
  ...daemon,
  ...more,
  [Symbol.asyncDispose]: () => daemon[Symbol.asyncDispose](),
});

/** A server of its own process that answers 30 ms after a request, and ends the answer 20 ms later. */
export async function startSlowPeer(
  inside: readonly string[] = [],
  host = "0.0.0.0",
): Promise<AsyncDisposable & { readonly port: number }> {
  const script = path.join(import.meta.dirname, "slow-server.ts");
  const [command, ...args] = [...inside, process.execPath, script, host];
  const server = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] });
  const [line]: unknown[] = await once(server.stdout, "data");
  return {
    port: Number(String(line)),
    [Symbol.asyncDispose]: async () => {
      const exited = once(server, "exit");
      server.kill("SIGKILL");
      await exited;
    },
  };
}
