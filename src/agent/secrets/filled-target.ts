import { kindTable, sentHeaders } from "#check/kinds/kind-table";
import type { KindEntry } from "#check/kinds/kind-entry";
import { type SecretEcho, SearchSteps } from "#check/secret-echo";
import * as limits from "#limits/secrets-limits";
import type { SecretTable } from "#agent/secrets/secret-table";
import { type Filling, refused, type Secrets } from "#agent/secrets/secrets";
import type {
  BoundParts,
  Header,
  HttpTarget,
  Monitor,
  RunnableMonitor,
  Target,
  Kind,
  TargetOf,
} from "#check/monitor";
import { headerMistake } from "#check/read-headers";
import { holdsReference, secretNamesIn } from "#check/secret-placeholder";
import { parseHttpUrl } from "#check/target";
import { hostPortOf } from "#network/host-port";

/** What a monitor asks, with the secrets of the location in place of their references. */
export function filledTarget(monitor: RunnableMonitor, secrets: Secrets): Filling<Target> {
  const { table } = secrets;
  if (table === null || !refers(monitor)) return { ok: true, value: monitor.target, echoes: [] };
  const known = lastFillings.get(monitor);
  if (known?.table === table) return known.filling;
  const filling = fillingOf(monitor, secrets);
  lastFillings.set(monitor, { table, filling });
  return filling;
}

/** A monitor's texts and its secrets seldom change: it is filled once, and its requests are made once. */
const lastFillings = new WeakMap<
  RunnableMonitor,
  { readonly table: SecretTable; readonly filling: Filling<Target> }
>();

const fillingOf = ({ uri, target }: RunnableMonitor, secrets: Secrets): Filling<Target> =>
  target.kind === "http"
    ? filledHttp(uri, target, secrets)
    : filledHeaders(target.kind, target, secrets);

/** The names of the secrets that a monitor refers to, for its target and for its collector. */
export function secretsOf(monitor: Monitor): readonly string[] {
  if (monitor.rejection !== null) return [];
  const { uri, target, otel } = monitor;
  const texts = [...textsOf(uri, target), ...(otel?.headers ?? []).map(({ value }) => value)];
  return [...new Set(texts.flatMap(secretNamesIn))];
}

/** Looked at once: a monitor's texts stay as they are. */
const known = new WeakMap<RunnableMonitor, boolean>();

const refers = (monitor: RunnableMonitor): boolean =>
  known.getOrInsertComputed(monitor, ({ uri, target }) =>
    textsOf(uri, target).some(holdsReference),
  );

/** Every text of a target that is sent to it. */
function textsOf(uri: string, target: Target): readonly string[] {
  const values = sentHeaders(target.kind, target).map(({ value }) => value);
  return target.kind === "http" ? [uri, target.body, ...values] : values;
}

function filledHttp(uri: string, target: HttpTarget, secrets: Secrets): Filling<Target> {
  const here = new URL(target.url);
  const receiver = { ...hostPortOf(here), verified: here.protocol === "https:" };
  const filled = secrets.fill(textsOf(uri, target), receiver, (filledIn) => ({
    // The URL as it was written: in the parsed one, what stands around a reference is encoded.
    url: holdsReference(uri) ? parseHttpUrl(filledIn(uri.trim(), encodeURIComponent)) : null,
    headers: target.headers.map((header) => filledHeader(header, filledIn)),
    body: filledIn(target.body),
  }));
  if (!filled.ok) return filled;
  const { echoes } = filled;
  const { url, headers, body } = filled.value;
  if (url !== null && (!url.ok || url.value.origin !== here.origin))
    return refused("The URL cannot be used with the secrets in it");
  return (
    unsendable(target.headers, headers) ?? {
      ok: true,
      echoes,
      value: {
        ...target,
        url: url?.ok === true ? url.value.href : target.url,
        headers,
        body,
        bound: boundParts(target, echoes),
      },
    }
  );
}

/** By the secrets, and by where they are: most monitors of a location have them in the same headers. */
const knownParts = new WeakMap<readonly SecretEcho[], Map<string, BoundParts>>();

function boundParts(target: HttpTarget, echoes: readonly SecretEcho[]): BoundParts {
  const isInBody = secretNamesIn(target.body).length > 0;
  const headers = target.headers
    .filter(({ value }) => secretNamesIn(value).length > 0)
    .map(({ key }) => key.toLowerCase());
  return knownParts
    .getOrInsertComputed(echoes, () => new Map())
    .getOrInsertComputed([isInBody, ...headers].join("\n"), () => ({
      headers: new Set(headers),
      isInBody,
      isIn: (text) => {
        // A server chooses where a redirect leads, and may make it as long as a head may be.
        const steps = new SearchSteps(limits.secretSearchSteps);
        return echoes.some((echo) => echo.isIn(text, steps));
      },
    }));
}

const noServer = { host: "", port: null };

function filledHeaders<K extends Kind>(
  kind: K,
  target: TargetOf<K>,
  secrets: Secrets,
): Filling<Target> {
  const entry: KindEntry<K> = kindTable[kind];
  const { sent } = entry;
  const { host, port } = entry.server(target) ?? noServer;
  if (sent === null || port === null) return { ok: true, value: target, echoes: [] };
  const written = sent.headers(target);
  const receiver = { host, port, verified: sent.isVerified(target) };
  const filled = secrets.fill(
    written.map(({ value }) => value),
    receiver,
    (filledIn) => written.map((entry) => filledHeader(entry, filledIn)),
  );
  if (!filled.ok) return filled;
  const headers = filled.value;
  return unsendable(written, headers) ?? { ...filled, value: sent.with(target, headers) };
}

/** One without a secret stays the monitor's own, which is in memory already. */
const filledHeader = (header: Header, filledIn: (text: string) => string): Header =>
  holdsReference(header.value) ? { key: header.key, value: filledIn(header.value) } : header;

/** Null if all can be sent. Said by the names of the secrets: the value is no one's to see. */
function unsendable(
  written: readonly Header[],
  filled: readonly Header[],
): ReturnType<typeof refused> | null {
  const at = filled.findIndex((header) => headerMistake(header) !== null);
  const [name = ""] = secretNamesIn(written[at]?.value ?? "");
  return at < 0
    ? null
    : refused(
        `The secret ${name} has a line break, or another character that the header ${written[at]?.key} cannot carry`,
      );
}
