import http from "node:http";
import https from "node:https";
import { once } from "node:events";
import { listenLocally } from "./listen-locally.ts";

/**
 * Stands in for Vault where no real one is given: it speaks the documented calls of its HTTP API that an agent makes, and
 * nothing else. https://developer.hashicorp.com/vault/api-docs
 */
export interface VaultStandIn extends AsyncDisposable {
  readonly url: string;
  /** `METHOD path` of each call. */
  readonly heard: readonly string[];
  /** Entries by MOUNT/PATH. */
  readonly entries: Map<string, Readonly<Record<string, unknown>>>;
  /** Tokens that are good, with their lease in seconds. */
  readonly tokens: Map<string, number>;
  /** Of the tokens that logins give, in seconds. */
  loginLease: number;
  /** What a login gives; null makes a new one of each. */
  loginToken: string | null;
  /** What calls of a path are answered with instead, by its beginning. */
  readonly faultsOf: Map<string, number>;
  /** What every call is answered with; null answers as Vault does. */
  fault: { status: number; headers?: Readonly<Record<string, string>> } | null;
  /** Answers nothing any more, and refuses connections. */
  goAway(): Promise<void>;
}

const refused = { status: 403, body: { errors: ["permission denied"] } };

export async function vaultStandIn(tls: https.ServerOptions | null = null): Promise<VaultStandIn> {
  const heard: string[] = [];
  const entries: VaultStandIn["entries"] = new Map();
  const tokens: VaultStandIn["tokens"] = new Map();
  const faultsOf: VaultStandIn["faultsOf"] = new Map();
  let logins = 0;
  const answerTo = (method: string, path: string, token: string, body: string) => {
    if (path === "auth/kubernetes/login") {
      const { role, jwt } = JSON.parse(body);
      if (role !== "picket" || jwt !== "a service account's token") return refused;
      logins += 1;
      const made = standIn.loginToken ?? `login-${logins}`;
      tokens.set(made, standIn.loginLease);
      return {
        status: 200,
        body: { auth: { client_token: made, lease_duration: standIn.loginLease, renewable: true } },
      };
    }
    const faulty = [...faultsOf].find(([beginning]) => path.startsWith(beginning));
    if (faulty !== undefined) return { status: faulty[1], body: {} };
    const lease = tokens.get(token);
    if (lease === undefined) return refused;
    if (path === "auth/token/lookup-self" && method === "GET")
      return { status: 200, body: { data: { ttl: lease, renewable: lease > 0 } } };
    if (path === "auth/token/renew-self" && method === "POST")
      return {
        status: 200,
        body: { auth: { client_token: token, lease_duration: lease, renewable: true } },
      };
    const data = entries.get(path.replace("/data/", "/"));
    if (data === undefined || !path.includes("/data/"))
      return { status: 404, body: { errors: [] } };
    return { status: 200, body: { lease_duration: 0, data: { data, metadata: { version: 1 } } } };
  };
  const onRequest: http.RequestListener = (request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const path = (request.url ?? "").replace("/v1/", "");
      heard.push(`${request.method} ${path}`);
      const { fault } = standIn;
      const token = String(request.headers["x-vault-token"] ?? "");
      const { status, body } =
        fault === null
          ? answerTo(request.method ?? "", path, token, Buffer.concat(parts).toString())
          : { status: fault.status, body: {} };
      response.writeHead(status, { "content-type": "application/json", ...fault?.headers });
      response.end(JSON.stringify(body));
    });
  };
  const server = tls === null ? http.createServer(onRequest) : https.createServer(tls, onRequest);
  const port = await listenLocally(server);
  const goAway = async (): Promise<void> => {
    if (!server.listening) return;
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  };
  const standIn: VaultStandIn = {
    url: `${tls === null ? "http" : "https"}://127.0.0.1:${port}`,
    heard,
    entries,
    tokens,
    faultsOf,
    loginLease: 100,
    loginToken: null,
    fault: null,
    goAway,
    [Symbol.asyncDispose]: goAway,
  };
  return standIn;
}
