import type { Instrument } from "#metrics/instrument";

export type AgentInstrumentName =
  | "picket.agent.monitors"
  | "picket.agent.checks.active"
  | "picket.agent.slots.started"
  | "picket.agent.slots.missed"
  | "picket.agent.vantage.conditions"
  | "picket.agent.vantage.questions.left_out"
  | "picket.agent.paths.known"
  | "picket.agent.paths.packets"
  | "picket.agent.paths.traces"
  | "picket.agent.paths.changes"
  | "picket.agent.paths.failures.named"
  | "picket.agent.audit_log.broken"
  | "picket.agent.checks.refused"
  | "picket.agent.schedule.lateness"
  | "picket.agent.error_bar"
  | "picket.agent.results.uncertain"
  | "picket.spool.results"
  | "picket.spool.oldest.age"
  | "picket.spool.given_up"
  | "picket.reports"
  | "picket.service.link.state"
  | "picket.metrics.pipelines"
  | "picket.metrics.series"
  | "picket.metrics.series.refused"
  | "picket.metrics.exports"
  | "nodejs.eventloop.delay.p50"
  | "nodejs.eventloop.delay.p99"
  | "nodejs.eventloop.delay.max"
  | "nodejs.eventloop.utilization"
  | "process.cpu.time"
  | "process.memory.usage"
  | "process.uptime";

const counted = (unit: string, does: string): Instrument => ({
  kind: "up_down_counter",
  unit,
  does,
  attributes: [],
  whole: true,
  observed: true,
});

const seconds = (does: string): Instrument => ({
  kind: "gauge",
  unit: "s",
  does,
  attributes: [],
  observed: true,
});

const bounds: readonly number[] = [
  0.000_01, 0.000_025, 0.000_05, 0.0001, 0.000_25, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05,
  0.1, 0.25, 0.5, 1, 2.5, 5,
];

/** What the agent says of itself; names of OpenTelemetry's where it has them (nodejs.*, process.*). */
export const agentInstruments: Readonly<Record<AgentInstrumentName, Instrument>> = {
  "picket.agent.monitors": counted("{monitor}", "Monitors that are assigned to this agent"),
  "picket.agent.checks.active": counted("{check}", "Checks that are running"),
  "picket.agent.slots.started": {
    ...counted("{slot}", "Slots whose check was started"),
    kind: "counter",
  },
  "picket.agent.slots.missed": {
    ...counted("{slot}", "Slots that were not checked"),
    kind: "counter",
    attributes: ["picket.slot.missed.reason"],
  },
  "picket.agent.vantage.conditions": counted(
    "{condition}",
    "Proven faults of the agent's machine or network that prevent checks; 0 if none",
  ),
  "picket.agent.audit_log.broken": counted(
    "1",
    "1 if the service's audit log was shortened or written anew, until an operator accepts it; else 0",
  ),
  "picket.agent.vantage.questions.left_out": {
    ...counted(
      "{question}",
      "Failures that were not examined, because the packet budget of the minute was used up",
    ),
    kind: "counter",
  },
  "picket.agent.paths.known": counted("{network}", "Networks of targets whose path is known"),
  "picket.agent.paths.packets": {
    ...counted("{packet}", "Packets sent to learn paths, and to look at them after a failure"),
    kind: "counter",
  },
  "picket.agent.paths.traces": {
    ...counted("{trace}", "Traces of paths by how they ended"),
    kind: "counter",
    attributes: ["picket.path.trace.outcome"],
  },
  "picket.agent.paths.changes": {
    ...counted("{change}", "Changes of paths that traces saw, by what changed"),
    kind: "counter",
    attributes: ["picket.path.change.kind"],
  },
  "picket.agent.paths.failures.named": {
    ...counted("{failure}", "Failures whose message names a hop that changed on their path"),
    kind: "counter",
  },
  "picket.agent.checks.refused": {
    ...counted("{check}", "Checks whose target the operator's rules refused"),
    kind: "counter",
  },
  "picket.agent.schedule.lateness": {
    kind: "histogram",
    unit: "s",
    does: "How long after it was due the first attempt of a check began",
    attributes: [],
    bounds,
  },
  "picket.agent.error_bar": {
    kind: "histogram",
    unit: "s",
    does: "How far the phases of a check may be from what the wire did, because its thread was busy",
    attributes: [],
    bounds,
  },
  "picket.agent.results.uncertain": {
    ...counted(
      "{result}",
      "Results whose figures are uncertain: an error bar over 1 ms and a tenth of the whole",
    ),
    kind: "counter",
  },
  "picket.spool.results": counted("{result}", "Results that are not yet sent to the service"),
  "picket.spool.oldest.age": seconds(
    "Age of the oldest slot whose result is not yet sent, 0 if there is none",
  ),
  "picket.spool.given_up": {
    ...counted("{result}", "Results that were dropped while they waited"),
    kind: "counter",
    attributes: ["picket.spool.given_up.reason"],
  },
  "picket.reports": {
    ...counted("{result}", "Results by what became of their report"),
    kind: "counter",
    attributes: ["picket.report.outcome"],
  },
  "picket.service.link.state": {
    ...counted("1", "1 for the state of the connection to the service, 0 for the others"),
    attributes: ["picket.service.link.state"],
  },
  "picket.metrics.pipelines": counted("{pipeline}", "Collectors that metrics are sent to"),
  "picket.metrics.series": counted("{series}", "Series that are kept for the agent's own metrics"),
  "picket.metrics.series.refused": {
    ...counted("{series}", "New series dropped for lack of room, in all pipelines"),
    kind: "counter",
  },
  "picket.metrics.exports": {
    ...counted("{export}", "Exports of metrics by how they ended, in all pipelines"),
    kind: "counter",
    attributes: ["picket.export.outcome"],
  },
  "nodejs.eventloop.delay.p50": seconds(
    "Median delay of the main thread's event loop since the last look",
  ),
  "nodejs.eventloop.delay.p99": seconds("99th percentile of that delay"),
  "nodejs.eventloop.delay.max": seconds("Largest such delay"),
  "nodejs.eventloop.utilization": {
    ...seconds("Share of time that the main thread's event loop was busy since the last look"),
    unit: "1",
  },
  "process.cpu.time": {
    ...seconds("Processor time of the whole process"),
    kind: "counter",
    attributes: ["cpu.mode"],
  },
  "process.memory.usage": counted("By", "Resident memory of the whole process"),
  "process.uptime": seconds("How long the process has run"),
};
