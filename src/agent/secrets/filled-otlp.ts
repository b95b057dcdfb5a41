import type { Secrets } from "#agent/secrets/secrets";
import type { Logger } from "#base/log";
import { LogNews } from "#base/log-limit";
import type { Header, OtelConfig } from "#check/monitor";
import { headerMistake } from "#check/read-headers";
import { holdsReference } from "#check/secret-placeholder";
import { hostPortOf } from "#network/host-port";

/**
 * Puts the location's secrets into the headers that go to a monitor's collector. Null if one may not go there: nothing
 * is sent then, and the log says so once.
 */
export function filledOtlp(
  secrets: Secrets,
  log: Logger,
): (otel: OtelConfig) => readonly Header[] | null {
  const news = new LogNews();
  return ({ endpoint, headers }) => {
    const values = headers.map(({ value }) => value);
    if (secrets.table === null || !values.some(holdsReference)) return headers;
    const url = new URL(endpoint);
    const receiver = { ...hostPortOf(url), verified: url.protocol === "https:" };
    const filled = secrets.fill(values, receiver, (filledIn) =>
      headers.map(({ key, value }) => ({ key, value: filledIn(value) })),
    );
    const reason = filled.ok ? mistakeIn(filled.value) : filled.failure.message;
    if (news.isNews(url.origin, reason ?? "sent") && reason !== null)
      log.warn("metrics are not sent to a collector that a monitor names", { reason });
    return filled.ok && reason === null ? filled.value : null;
  };
}

const mistakeIn = (headers: readonly Header[]): string | null =>
  headers.some((header) => headerMistake(header) !== null)
    ? "A secret has a line break, or another character that a header cannot carry"
    : null;
