import type { Plan } from "#service/alerting/distill";
import { downSince, severitiesOf, troubleFor } from "#service/alerting/down-spans";
import type { Incident } from "#service/alerting/incident";
import { clusterOf, type Letter } from "#service/alerting/letters";
import { causeKey, type Fault, type MonitorSnapshot, nameIn } from "#service/alerting/snapshot";
import { agentNotice, locationNotice, maintenanceNotice } from "#service/alerting/place-notices";
import type { IncidentHead, IncidentNotice, Surroundings } from "#service/alerting/surroundings";
import type { Digest, DigestEntry, FailingOccasion, Notice } from "#service/notify/event";
import { digestPart } from "#service/notify/message/digest-part";
import { latenessOf } from "#service/alerting/late-message";
import type {
  Cause,
  IncidentFacts,
  Lateness,
  OutageTimes,
  TroubleTimes,
} from "#service/notify/event-facts";
import * as limits from "#limits/alerts-limits";
import { capital } from "#base/text";
import { type EpochMillis, millis } from "#base/units";

/** What a message says. */
export function noticeOf(letter: Letter, around: Surroundings): Notice {
  const [first, ...others] = letter.plans;
  if (first !== undefined && others.length === 0) return sayingOf(first, around);
  return digestOf(letter, around);
}

function sayingOf(plan: Plan, around: Surroundings): IncidentNotice {
  const { snapshot } = plan.lead;
  const head = { at: plan.lead.at, service: around.service, late: latenessOf(plan, around) };
  const incident = incidentFacts(plan.queue.incident, around);
  switch (snapshot.of) {
    case "monitor":
      return monitorNotice(plan, snapshot, { ...head, incident }, around);
    case "location":
      return locationNotice(plan, snapshot, { ...head, incident }, around.links);
    case "agent":
      return agentNotice(plan, snapshot, { ...head, incident }, around.links);
    case "maintenance":
      return maintenanceNotice(plan, snapshot, head, around.links);
    case "channel":
      return {
        ...head,
        type: "channel.failing",
        channel: { ...snapshot.channel, url: around.links.channel(snapshot.channel.id) },
        itsIncident: { number: incident.number, url: incident.url },
        since: plan.queue.incident.startedAt,
        message: snapshot.message,
      };
  }
}

function monitorNotice(
  { queue, lead, occasion }: Plan,
  seen: MonitorSnapshot,
  head: IncidentHead,
  around: Surroundings,
): IncidentNotice {
  const { incident } = queue;
  const facts = monitorFacts(seen, head, around);
  const status = lead.severity;
  const { remindsAfter } = around;
  const failing = (occasion: FailingOccasion): IncidentNotice =>
    status === "error"
      ? { ...facts, type: "monitor.error", occasion, remindsAfter }
      : { ...facts, type: "monitor.degraded", occasion, remindsAfter };
  switch (occasion.is) {
    case "opened":
      return failing(openedBecause(queue.parent, seen));
    case "changed":
      return failing({ why: "changed", from: occasion.from });
    case "reopened":
      return failing({ why: "reopened", from: occasion.from });
    // Planned work alone has times that change.
    case "rescheduled":
      return failing({ why: "reopened", from: status });
    case "reminder":
      return { ...facts, type: "monitor.reminder", status, remindsAfter };
    case "flapping":
    case "settled":
      return flappingNotice(incident, occasion.is, facts, { seen, now: around.now });
    case "ended": {
      const { ended, worst: was } = incident;
      const endedAt = ended?.at ?? lead.at;
      const because = ended?.because ?? "recovered";
      const lasted = lastedOf(incident, seen, endedAt);
      if (because !== "recovered")
        return { ...facts, type: "monitor.closed", endedAt, was, lasted, because };
      const { announced } = occasion;
      return { ...facts, type: "monitor.recovered", endedAt, was, lasted, announced };
    }
  }
}

/** As the incident's page counts. What an older version kept says less. */
function lastedOf(
  incident: Incident,
  { figures, failedChecks }: MonitorSnapshot,
  endedAt: EpochMillis,
): OutageTimes {
  return {
    inTrouble: troubleFor(incident, figures ?? null, endedAt),
    slow: incident.worst === "error" ? (figures?.slowFor ?? millis(0)) : millis(0),
    unknown: figures?.unknownFor ?? millis(0),
    failedChecks,
    slowChecks: figures?.slowChecks ?? 0,
  };
}

const monitorFacts = (
  seen: MonitorSnapshot,
  head: IncidentHead,
  around: Surroundings,
): MonitorFacts => ({
  ...head,
  monitor: { ...seen.monitor, url: around.links.monitor(seen.monitor.id) },
  urgency: seen.urgency,
  certificate: seen.certificate ?? null,
  locations: seen.locations,
  result: seen.result,
  lastGoodAt: seen.lastGoodAt,
  cause: seen.fails && causeOfOne(seen.fails, failingBy(causeKey(seen.fails), around)),
});

/** How many fail by a cause now: one that passes and waits for more checks does not. */
const failingBy = (cause: string, around: Surroundings): number =>
  around.openOf(cause).filter(({ isFailing }) => isFailing).length;

/**
 * What others fail by, too, in a message about one: only if so many are one group by the rule of messages. Two ports that
 * refuse are in one state, and no one cause.
 */
const causeOfOne = (fault: Fault, failing: number): Cause | null =>
  isOneCause(fault, failing) ? causeOf(fault, failing) : null;

const isOneCause = ({ of, shared, whose }: Fault, failing: number): boolean =>
  whose !== undefined ||
  failing <= (shared?.affected ?? 0) ||
  failing >= limits.groupSentAtOnce ||
  (failing >= limits.groupHostsMin && 2 * failing >= of);

const openedBecause = (
  parent: Plan["queue"]["parent"],
  { maintenance }: MonitorSnapshot,
): FailingOccasion => {
  if (maintenance !== null) return { why: "maintenance-ended", title: maintenance };
  if (parent === null) return { why: "opened" };
  return { why: "parent-recovered", parent: { id: String(parent.id), name: parent.name } };
};

type MonitorFacts = Omit<
  Extract<IncidentNotice, { type: "monitor.closed" }>,
  "type" | "endedAt" | "was" | "lasted" | "because"
>;

function flappingNotice(
  incident: Incident,
  is: "flapping" | "settled",
  facts: MonitorFacts,
  { seen, now }: { readonly seen: MonitorSnapshot; readonly now: EpochMillis },
): IncidentNotice {
  const { flapping, severity, ended } = incident;
  const downFor = troubleFor(incident, seen.figures ?? null, ended?.at ?? now);
  const isDown = flapping?.isDown ?? ended === null;
  const status = isDown ? severity : "active";
  const times = timesOf(incident);
  if (is === "flapping")
    return {
      ...facts,
      type: "monitor.flapping",
      status,
      times,
      downFor,
      quietFor: limits.flappingQuietFor,
    };
  const wellSince = ended?.at ?? null;
  const unknown = seen.figures?.unknownFor ?? millis(0);
  return { ...facts, type: "monitor.settled", status, times, downFor, unknown, wellSince };
}

/** As its page counts. */
function timesOf(incident: Incident): TroubleTimes {
  const all = severitiesOf(incident);
  const down = all.filter((one) => one === "error").length;
  return { down, slow: all.length - down };
}

const incidentFacts = (incident: Incident, { links, now }: Surroundings): IncidentFacts => ({
  id: String(incident.number),
  number: incident.number,
  key: links.key(incident.subject),
  startedAt: incident.startedAt,
  downSince: downSince(incident),
  asOf: now,
  url: links.incident(incident.number),
  acknowledgeUrl: incident.ended === null ? links.acknowledge(incident) : null,
  acknowledged: incident.acknowledged !== null,
});

/** Set only when more than one fails so. */
function causeOf(fault: Fault | null, failing: number): Cause | null {
  if (fault === null || failing < 2) return null;
  const { location, failure } = fault;
  return { key: causeKey(fault), location, failure, failing, of: Math.max(failing, fault.of) };
}

/** What the agent finds that all of them share says more than the failure of the first. */
function sharedCauseOf(plans: readonly Plan[], cause: Cause | null): Cause | null {
  const shared = plans
    .map(({ lead }) => (lead.snapshot.of === "monitor" ? lead.snapshot.fails?.shared : undefined))
    .find((one) => one !== undefined && one.affected >= plans.length);
  if (cause === null || shared === undefined) return cause;
  const { sentence } = shared;
  const { message: own } = cause.failure;
  // The message of one monitor may begin with it, and how sure it is.
  const message = capital(own.includes(sentence) ? own : `${sentence}: ${own}`);
  return { ...cause, failure: { ...cause.failure, message } };
}

function digestOf({ plans, because }: Letter, around: Surroundings): Digest {
  const sayings = plans.map((plan) => ({ plan, saying: sayingOf(plan, around) }));
  const fault = plans[0]?.lead.snapshot;
  // What is over says what it was, not why it failed.
  const isDown = plans.every(({ occasion }) => occasion.is !== "ended");
  const isOne = because === "same-cause" && isDown && fault?.of === "monitor";
  const failing = isOne ? causeOf(fault.fails, plans.length) : null;
  const failingNow =
    failing === null ? 0 : Math.max(failing.failing, failingBy(failing.key, around));
  const cause = failing && sharedCauseOf(plans, { ...failing, failingNow });
  // The worst first: what is more than fits is left out at the end.
  const inOrder = sayings.toSorted((a, b) => digestPart(a.saying).rank - digestPart(b.saying).rank);
  const entries = inOrder.slice(0, limits.digestNamesMax).map(({ plan, saying }): DigestEntry => ({
    saying,
    name: nameIn(plan.lead.snapshot),
    since: downSince(plan.queue.incident),
    url: around.links.incident(plan.queue.incident.number),
  }));
  const [first] = plans;
  return {
    type: "digest",
    at: plans.map(({ lead }) => lead.at).toSorted((a, b) => a - b)[0] ?? around.now,
    service: around.service,
    late: latest(
      sayings.map(({ saying }) => saying.late),
      because,
    ),
    key: cause?.key ?? (first === undefined ? "" : `${clusterOf(first)} ${first.lead.id}`.trim()),
    because: because ?? "many",
    cause,
    entries,
    count: plans.length,
    asOf: around.now,
    ...linksOf(plans, cause, around),
  };
}

/**
 * One link to the list of all, and one that acknowledges those that wait for a person. Of a cause both have what was sent
 * before, too: the title counts it. What someone has acknowledged is behind the link as well, so that its page says who.
 */
function linksOf(
  plans: readonly Plan[],
  cause: Cause | null,
  around: Surroundings,
): Pick<Digest, "url" | "acknowledgeUrl" | "waiting" | "open"> {
  const named = plans.map(({ queue }) => queue.incident);
  const { links, now, service } = around;
  const alike = cause === null ? [] : around.openOf(cause.key);
  const all = new Set([...named, ...alike].map(({ number }) => number));
  const url = links.incidents([...all]) ?? service.url;
  const own = named.filter(
    ({ ended, subject }) => ended === null && subject.kind !== "maintenance",
  );
  const ownOpen = own.map(({ number, acknowledged }) => ({
    number,
    isAcknowledged: acknowledged !== null,
  }));
  const open = new Map([...ownOpen, ...alike].map((one) => [one.number, one]));
  const [only] = own;
  if (only !== undefined && open.size === 1 && only.acknowledged === null)
    return { url, acknowledgeUrl: links.acknowledge(only), waiting: 1, open: 1 };
  for (const some of [[...open.values()], ownOpen]) {
    const waiting = some.filter(({ isAcknowledged }) => !isAcknowledged).length;
    const numbers = some.map(({ number }) => number);
    const acknowledgeUrl = waiting === 0 ? null : links.acknowledgeAll(numbers, now);
    if (acknowledgeUrl !== null) return { url, acknowledgeUrl, waiting, open: some.length };
  }
  return { url, acknowledgeUrl: null, waiting: 0, open: open.size };
}

/** A digest says one reason; that it comes after quiet hours, it says already. */
const latest = (all: readonly (Lateness | null)[], because: Letter["because"]): Lateness | null =>
  all.find(
    (late) => late !== null && !(because === "quiet-hours" && late.away === "quiet-hours"),
  ) ?? null;
