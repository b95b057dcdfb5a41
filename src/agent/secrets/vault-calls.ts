import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { VaultSource } from "#agent/secrets/vault-source";
import type { Clock } from "#base/clock";
import { type Deadline, startDeadline } from "#base/deadline";
import { isMapping, jsonFields, type Mapping } from "#base/json";
import * as limits from "#limits/secrets-limits";
import { readBounded, whyUnusable } from "#machine/bounded-file";
import { systemTrust } from "#machine/trust";
import { errorCode } from "#network/system-errors";

/** Why Vault gave nothing, as the rest of a sentence; never with a token or a value. */
export class VaultFault extends Error {
  override readonly name = "VaultFault";
  /** Of the answer; null if there is none, or another thing is wrong. */
  readonly #status: number | null;

  constructor(message: string, status: number | null = null) {
    super(message);
    this.#status = status;
  }

  /** The token is not good, or not any more, or its policy does not allow the call. */
  get refusesToken(): boolean {
    return this.#status === 401 || this.#status === 403;
  }

  /** There is no such entry. */
  get isAbsence(): boolean {
    return this.#status === 404;
  }
}

interface VaultEntry {
  readonly fields: Mapping;
  /** For how many seconds they are good; 0 does not say. */
  readonly leaseSeconds: number;
}

interface VaultAnswer {
  readonly status: number;
  readonly text: string;
}

export interface VaultToken {
  readonly value: string;
  /** How long it is good from now on, in seconds; 0 has no end. */
  readonly leaseSeconds: number;
  readonly isRenewable: boolean;
}

/** The calls of Vault's HTTP API that an agent needs. Each throws a VaultFault. */
export class VaultCalls {
  readonly #source: VaultSource;
  readonly #clock: Clock;

  constructor(source: VaultSource, clock: Clock) {
    this.#source = source;
    this.#clock = clock;
  }

  /** By the token of the file, or by the service account of the pod. */
  async logIn(): Promise<VaultToken> {
    const { tokenFile, role, jwtFile, loginPath } = this.#source;
    if (tokenFile !== "") {
      const value = tokenOf(tokenFile);
      const { ttl, renewable } = await this.#lookUp(value);
      return { value, leaseSeconds: secondsIn(ttl), isRenewable: renewable === true };
    }
    const body = { role, jwt: textOf(jwtFile) };
    const { auth } = await this.#call("POST", `auth/${loginPath}/login`, "", body);
    return tokenIn(auth, "");
  }

  /** Whether the file has another token now. */
  hasOtherToken(known: string): boolean {
    const { tokenFile } = this.#source;
    return tokenFile !== "" && textOf(tokenFile) !== known;
  }

  /** A policy may forbid a token to look at itself: what it may read shows whether it is good. */
  async #lookUp(token: string): Promise<Mapping> {
    try {
      const { data } = await this.#call("GET", "auth/token/lookup-self", token, null);
      return fieldsOf(data);
    } catch (error) {
      if (error instanceof VaultFault && error.refusesToken) return {};
      throw error;
    }
  }

  async renew({ value }: VaultToken): Promise<VaultToken> {
    const { auth } = await this.#call("POST", "auth/token/renew-self", value, {});
    return tokenIn(auth, value);
  }

  /** An entry; the fault if there is none, as after it was deleted. */
  async read(entry: string, token: VaultToken): Promise<VaultEntry | VaultFault> {
    try {
      return await this.#readEntry(entry, token);
    } catch (error) {
      if (error instanceof VaultFault && error.isAbsence) return error;
      throw error;
    }
  }

  async #readEntry(entry: string, { value }: VaultToken): Promise<VaultEntry> {
    const [mount = "", ...rest] = entry.split("/");
    const answer = await this.#call("GET", `${mount}/data/${rest.join("/")}`, value, null);
    const { data } = fieldsOf(answer["data"]);
    if (!isMapping(data))
      throw new VaultFault(`gave no entry of a key-value store of version 2 at ${entry}`);
    return { fields: data, leaseSeconds: secondsIn(answer["lease_duration"]) };
  }

  async #call(method: string, path: string, token: string, body: object | null): Promise<Mapping> {
    using deadline = startDeadline(this.#clock, limits.vaultCallTimeout);
    const { status, text } = await this.#exchange(method, path, token, body, deadline);
    if (status === 200) return jsonFields(text);
    throw new VaultFault(`${statusWords(status)} (${path})`, status);
  }

  #exchange(
    method: string,
    path: string,
    token: string,
    body: object | null,
    deadline: Deadline,
  ): Promise<VaultAnswer> {
    const { url, caFile } = this.#source;
    const { signal } = deadline;
    const headers = {
      "x-vault-request": "true",
      ...(token === "" ? {} : { "x-vault-token": token }),
      ...(body === null ? {} : { "content-type": "application/json" }),
    };
    const options = { method, headers, signal, agent: false } as const;
    const to = `${url}/v1/${path}`;
    const { promise, resolve, reject } = Promise.withResolvers<VaultAnswer>();
    const failed = (error: Error): void =>
      reject(error instanceof VaultFault ? error : new VaultFault(brokenWords(error, deadline)));
    try {
      const request = /^https:/i.test(url)
        ? requestHttps(to, { ...options, ca: trusted(caFile), rejectUnauthorized: true })
        : requestHttp(to, options);
      request.on("error", failed);
      request.on("response", (response) => void answerIn(response).then(resolve, failed));
      request.end(body === null ? undefined : JSON.stringify(body));
    } catch (error) {
      // What no request can be made of, e.g. a header with a line break.
      failed(Error.isError(error) ? error : new VaultFault("cannot be asked"));
    }
    return promise;
  }
}

const brokenWords = (error: Error, { ended }: Deadline): string =>
  ended === null ? `cannot be reached (${errorCode(error)})` : "did not answer in time";

async function answerIn(response: IncomingMessage): Promise<VaultAnswer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of response) {
    if (!(part instanceof Buffer)) continue;
    size += part.length;
    if (size > limits.vaultAnswerBytesMax) throw new VaultFault("answered too much");
    parts.push(part);
  }
  return { status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() };
}

/** Redirects are not followed: the token would go where the operator did not send it. */
function statusWords(status: number): string {
  if (status === 401 || status === 403)
    return "refuses the token, or its policy does not allow this";
  if (status === 404) return "has nothing there";
  if (status === 503) return "is sealed, or in maintenance";
  if (status >= 300 && status < 400) return "leads to another address: name that one";
  return `answered with ${status}`;
}

function trusted(caFile: string): string[] {
  try {
    const authorities = caFile === "" ? null : readBounded(caFile, limits.vaultFileBytesMax);
    return [...(systemTrust({ authorities, identity: null }).onlyAuthorities() ?? [])];
  } catch (error) {
    throw new VaultFault(`cannot be asked: PICKET_VAULT_CA_FILE ${whyUnusable(error)} (${caFile})`);
  }
}

function textOf(file: string): string {
  try {
    return readBounded(file, limits.vaultFileBytesMax).trim();
  } catch (error) {
    throw new VaultFault(`cannot be asked: ${file} cannot be read (${whyUnusable(error)})`);
  }
}

function tokenOf(file: string): string {
  const token = textOf(file);
  if (isToken(token)) return token;
  throw new VaultFault(
    `cannot be asked: ${file} must hold one token, in one line of ASCII characters without spaces`,
  );
}

/** Whether a header can carry it. */
const isToken = (text: string): boolean => /^[\x21-\x7e]+$/.test(text);

const fieldsOf = (value: unknown): Mapping => (isMapping(value) ? value : {});

const secondsIn = (value: unknown): number =>
  typeof value === "number" && Number.isFinite(value) ? Math.max(0, value) : 0;

function tokenIn(auth: unknown, known: string): VaultToken {
  const { client_token: given, lease_duration: lease, renewable } = fieldsOf(auth);
  const value = typeof given === "string" && given !== "" ? given : known;
  if (!isToken(value)) throw new VaultFault("gave no token");
  return { value, leaseSeconds: secondsIn(lease), isRenewable: renewable === true };
}
