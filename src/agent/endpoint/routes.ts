import type { ScrapeAnswer } from "#agent/telemetry";
import { type Health, liveness, readiness } from "#agent/endpoint/liveness";
import type { History } from "#agent/endpoint/history";
import { frame } from "#agent/endpoint/frame";
import type { Html } from "#web/page/html";
import type { Identity } from "#agent/endpoint/identity";
import { monitorPage } from "#agent/endpoint/monitor-page";
import { type AgentView, monitorRow, overviewOf } from "#agent/endpoint/overview";
import { overviewPage } from "#agent/endpoint/overview-page";
import { queryOf, readSelection, type Selection } from "#agent/endpoint/selection";
import { statusDocument } from "#agent/endpoint/status-document";
import { wholeIfShort } from "#agent/endpoint/streams";
import { icon, style } from "#web/page/style";
import { standingWords } from "#web/page/verdict-mark";
import type { Clock } from "#base/clock";
import { millis, type Nanos, nanos, nanosToMillis } from "#base/units";

/** What an endpoint shows. */
export interface Subject {
  readonly agent: AgentView;
  readonly history: History;
  readonly identity: Identity;
  /** What a query asks for of the agent's own metrics, as Prometheus text; null while there are none. */
  readonly metrics: ((query: URLSearchParams) => ScrapeAnswer) | null;
  readonly clock: Clock;
  /** By the monotonic clock, so that setting the wall clock makes no agent older. */
  readonly startedAt: Nanos;
}

/** What is said to one request. */
export interface RouteResponse {
  readonly status: number;
  readonly type: string;
  /** Whole, or in pieces that are made when they are asked for. */
  readonly body: string | Iterable<string>;
}

/** Answers a GET by its path and query; makes nothing and changes nothing. */
export function answerTo(url: string, subject: Subject): RouteResponse {
  const parsed = url.startsWith("/") ? URL.parse(`http://agent.invalid${url}`) : null;
  if (parsed === null) return sentence(400, "The path cannot be read.");
  const { pathname, searchParams } = parsed;
  switch (pathname) {
    case "/livez":
      return healthAnswer(liveness(subject.agent.status), "live");
    case "/readyz":
      return healthAnswer(readiness(subject.agent.status), "ready");
    case "/metrics":
      return metricsAnswer(subject, searchParams);
    case "/status":
      return selected(searchParams, (selection) => statusAnswer(subject, selection));
    case "/":
      return selected(searchParams, (selection) =>
        overviewAnswer(subject, selection, searchParams),
      );
    case "/style.css":
      return { status: 200, type: "text/css; charset=utf-8", body: style };
    case "/icon.svg":
      return { status: 200, type: "image/svg+xml", body: icon };
    default:
      return pathname.startsWith("/monitors/")
        ? monitorAnswer(subject, pathname.slice("/monitors/".length), searchParams)
        : sentence(404, "Page not found. All pages are listed at /");
  }
}

/** Plain text of one line. */
export const sentence = (status: number, text: string): RouteResponse => ({
  status,
  type: "text/plain; charset=utf-8",
  body: `${text}\n`,
});

const healthAnswer = (health: Health, word: string): RouteResponse =>
  health.ok ? sentence(200, word) : sentence(503, `not ${word}: ${health.reason}`);

function metricsAnswer({ metrics }: Subject, query: URLSearchParams): RouteResponse {
  if (metrics === null) return sentence(404, "This agent has no metrics in Prometheus form.");
  const scraped = metrics(query);
  if (!scraped.ok) return sentence(400, scraped.message);
  const body = wholeIfShort(scraped.text);
  return { status: 200, type: "text/plain; version=0.0.4; charset=utf-8", body };
}

function selected(
  query: URLSearchParams,
  answer: (selection: Selection) => RouteResponse,
): RouteResponse {
  const reading = readSelection(query);
  return reading.ok ? answer(reading.selection) : sentence(400, reading.message);
}

function statusAnswer(subject: Subject, selection: Selection): RouteResponse {
  const { agent, history, identity, clock, startedAt } = subject;
  const document = statusDocument({
    identity,
    status: agent.status,
    overview: overviewOf(agent, history, selection),
    selection,
    uptime: millis(nanosToMillis(nanos(clock.monotonic() - startedAt))),
    now: clock.wall(),
  });
  const body = `${JSON.stringify(document)}\n`;
  return { status: 200, type: "application/json; charset=utf-8", body };
}

function overviewAnswer(
  subject: Subject,
  selection: Selection,
  query: URLSearchParams,
): RouteResponse {
  const { agent, history, identity, clock } = subject;
  const { status } = agent;
  const overview = overviewOf(agent, history, selection);
  const { serviceUrl } = identity;
  const content = overviewPage({ status, overview, selection, serviceUrl, now: clock.wall() });
  const { error } = overview.counts;
  const title = `${error > 0 ? `${error} failing · ` : ""}${status.region ?? "no assignment"} · Picket`;
  return page(subject, { title, path: `/${queryOf(selection)}`, content, query });
}

function monitorAnswer(subject: Subject, encodedId: string, query: URLSearchParams): RouteResponse {
  const { agent, history, clock } = subject;
  const id = decoded(encodedId);
  const row = id === null ? null : monitorRow(agent, history, id);
  if (row === null)
    return sentence(404, "No such monitor is assigned to this agent. Its monitors are listed at /");
  const title = `${standingWords[row.standing]} · ${row.target} · Picket`;
  const path = `/monitors/${encodeURIComponent(row.id)}`;
  const content = monitorPage(row, agent.status.remarks, clock.wall());
  return page(subject, { title, path, content, query });
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

interface Page {
  readonly title: string;
  readonly path: string;
  readonly content: Html;
  readonly query: URLSearchParams;
}

const page = (
  { identity, clock }: Subject,
  { title, path, content, query }: Page,
): RouteResponse => ({
  status: 200,
  type: "text/html; charset=utf-8",
  body: frame({
    ...identity,
    title,
    path,
    content,
    refreshing: query.has("refresh"),
    now: clock.wall(),
  }),
});
