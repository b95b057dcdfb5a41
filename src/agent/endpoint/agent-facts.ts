import type { AgentStatus } from "#agent/agent-status";
import type { LinkState } from "#agent/link/service-link";
import { html, type Html } from "#web/page/html";
import { counted, dayAndTime, grouped, span, latencyWords } from "#web/page/format";
import { showUrl } from "#check/target";
import { between, type EpochMillis, millis } from "#base/units";

/** How the agent itself is: its way to the service, what waits to be reported, how well it keeps its slots. */
export const agentFacts = (status: AgentStatus, serviceUrl: string, now: EpochMillis): Html =>
  html`<section aria-labelledby="agent">
    <h2 id="agent">This agent</h2>
    <dl class="cells">
      ${serviceCell(status, serviceUrl, now)} ${reportsCell(status, now)} ${slotsCell(status)}
      ${timelinessCell(status)}
    </dl>
  </section>`;

interface Cell {
  readonly name: string;
  readonly value: string;
  /** Whether a person should look at it; said in words as well. */
  readonly wants: "nothing" | "attention";
  readonly notes: readonly string[];
}

const cell = ({ name, value, wants, notes }: Cell): Html =>
  html`<div class="cell${wants === "attention" ? " attention" : ""}">
    <dt>${name}</dt>
    <dd>
      <strong>${value}</strong>${notes.map((note) => html`<span class="note">${note}</span>`)}
    </dd>
  </div>`;

const linkWords: { readonly [S in LinkState]: string } = {
  unknown: "no answer yet",
  up: "connected",
  down: "cannot be reached",
  refused: "refuses the token",
};

function serviceCell(status: AgentStatus, serviceUrl: string, now: EpochMillis): Html {
  const { link, linkSince, linkFault, heartbeat } = status;
  const since = `for ${span(between(linkSince, now))}, ${showUrl(serviceUrl)}`;
  const beat =
    heartbeat.takenAt === null
      ? []
      : [`last heartbeat ${span(between(heartbeat.takenAt, now))} ago`];
  const fault =
    linkFault === null
      ? []
      : [
          `${link === "up" ? "last trouble " : ""}${dayAndTime(linkFault.at)}: ${linkFault.message}`,
        ];
  const bad = link === "down" || link === "refused";
  const kept = bad && status.region !== null ? ["monitors keep running, results are kept"] : [];
  return cell({
    name: "Service",
    value: linkWords[link],
    wants: bad ? "attention" : "nothing",
    notes: [since, ...beat, ...fault, ...kept],
  });
}

function reportsCell(status: AgentStatus, now: EpochMillis): Html {
  const { resultsWaiting, oldestWaiting, resultsGivenUp, reports } = status;
  const age = oldestWaiting === null ? null : millis(Math.max(0, between(oldestWaiting, now)));
  const lost =
    resultsGivenUp.age +
    resultsGivenUp.room +
    resultsGivenUp.unreadable +
    reports.givenUp +
    reports.rejected;
  return cell({
    name: "Results waiting",
    value: grouped(resultsWaiting),
    wants: lost > 0 ? "attention" : "nothing",
    notes: [
      age === null ? "everything is reported" : `the oldest is of ${span(age)} ago`,
      status.spoolDurable ? "kept on disk" : "kept in memory only: lost when the agent ends",
      `${grouped(reports.accepted + reports.duplicate)} taken by the service`,
      ...(lost === 0 ? [] : [`${grouped(lost)} dropped or rejected`]),
    ],
  });
}

function slotsCell({ schedule }: AgentStatus): Html {
  const reasons = Object.entries(schedule.missed).filter(([, count]) => count > 0);
  const missed = reasons.reduce((sum, [, count]) => sum + count, 0);
  return cell({
    name: "Slots missed",
    value: grouped(missed),
    wants: missed > 0 ? "attention" : "nothing",
    notes: [
      `of ${counted(schedule.started + missed, "slot")}`,
      ...reasons.map(([reason, count]) => `${grouped(count)} ${missedWords[reason] ?? reason}`),
    ],
  });
}

const missedWords: Readonly<Record<string, string>> = {
  late: "started too late",
  vantage: "hidden by a fault of this agent's machine or network",
  clock: "skipped when the clock was set",
  overlap: "while the previous check still ran",
  busy: "while too many checks ran",
  drained: "because the agent was stopping",
};

function timelinessCell(status: AgentStatus): Html {
  const { latenessP50, latenessP99, latenessMax, uncertainResults } = status;
  const figures =
    latenessP50 === null || latenessMax === null
      ? ["no check has started yet"]
      : [`median ${latencyWords(latenessP50)}, most ${latencyWords(latenessMax)}`];
  return cell({
    name: "Checks start late by",
    value: latenessP99 === null ? "–" : latencyWords(latenessP99),
    wants: "nothing",
    notes: [
      ...(latenessP99 === null ? [] : ["at most, for 99 of 100"]),
      ...figures,
      `${counted(uncertainResults, "result")} with uncertain times`,
    ],
  });
}
