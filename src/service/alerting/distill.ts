import {
  type DropReason,
  isUntold,
  type Queue,
  type SentDelivery,
  type WaitingDelivery,
} from "#service/alerting/queue";
import { heldUntilOver, isHeldByRule, type LaneRules } from "#service/alerting/lane-rules";
import { isKnownAs, type Severity } from "#service/alerting/incident";

/** What one message would say about an incident, and the deliveries that it settles. */
export interface Plan {
  readonly queue: Queue;
  /** The newest of `covers`: its snapshot is what is said. */
  readonly lead: WaitingDelivery;
  readonly covers: readonly WaitingDelivery[];
  readonly occasion: Occasion;
}

type Occasion =
  | { readonly is: "opened" }
  | { readonly is: "changed"; readonly from: Severity }
  | { readonly is: "reopened"; readonly from: Severity }
  /** Planned work has other times. */
  | { readonly is: "rescheduled" }
  | { readonly is: "ended"; readonly announced: boolean }
  | { readonly is: "reminder" }
  | { readonly is: "flapping" }
  | { readonly is: "settled" };

interface Distillate {
  readonly plan: Plan | null;
  readonly dropped: readonly Drop[];
}
export interface Drop {
  readonly delivery: WaitingDelivery;
  readonly reason: DropReason;
}

/**
 * What is still to be said of all that waits: people hear how things stand, not how they came to. A webhook's receiver
 * is a program that keeps its own books, so it gets every event in order; but a rule of the channel holds for it as well.
 */
export function distill(queue: Queue, lane: LaneRules): Distillate {
  const { waiting } = queue;
  const stale = waiting.filter(
    ({ kind }) => kind === "reminder" && (!isDown(queue) || queue.incident.acknowledged !== null),
  );
  const left = waiting.filter((one) => !stale.includes(one));
  const dropped = stale.map((delivery) =>
    drop(delivery, queue.incident.ended === null ? "acknowledged" : "nothing_changed"),
  );
  const [first] = left;
  if (first === undefined) return { plan: null, dropped };
  const inOrder = lane.manner === "webhook" && !isHeldBack(queue, left, lane);
  const covers = inOrder ? [first] : left;
  const rest = decide({ ...queue, waiting: covers }, covers.at(-1) ?? first, lane);
  return { plan: rest.plan, dropped: [...dropped, ...rest.dropped] };
}

/** Whether a rule of the channel has held the first of what waits: in full, where its alert is over already. */
function isHeldBack(queue: Queue, left: readonly WaitingDelivery[], lane: LaneRules): boolean {
  const [first] = left;
  if (first === undefined) return false;
  const end = left.find(({ kind }) => kind === "closed");
  if (queue.sent !== null || end === undefined || end === first) return isHeldByRule(first);
  return heldUntilOver(queue, first, end.at, lane) !== null;
}

const drop = (delivery: WaitingDelivery, reason: DropReason): Drop => ({ delivery, reason });
const isDown = ({ incident }: Queue): boolean => incident.ended === null;

function decide(queue: Queue, lead: WaitingDelivery, lane: LaneRules): Distillate {
  const { waiting: covers, sent } = queue;
  const say = (occasion: Occasion): Distillate => ({
    plan: { queue, lead, covers, occasion },
    dropped: [],
  });
  const nothing = (reason: DropReason): Distillate => ({
    plan: null,
    dropped: covers.map((delivery) => drop(delivery, reason)),
  });
  // It was asked for again while something newer was on its way.
  if (sent !== null && lead.event < sent.event) return nothing("nothing_changed");
  switch (lead.kind) {
    case "closed":
      return ended(queue, lead, lane, say, nothing);
    case "flapping":
      return say({ is: "flapping" });
    case "settled":
      return settled(queue, lead, lane, say, nothing);
    case "rescheduled":
      return say({ is: sent === null ? "opened" : "rescheduled" });
    case "reminder":
      return isUntold(queue) ? failing(queue, lead, say, nothing) : say({ is: "reminder" });
    case "worsened":
      return isKnownToFail(queue, lane)
        ? nothing("acknowledged")
        : failing(queue, lead, say, nothing);
    case "opened":
    case "eased":
    case "reopened":
      return failing(queue, lead, say, nothing);
    case "went_down":
    case "came_up":
    case "no_data":
    case "data_again":
    case "acknowledged":
    case "taken_back":
      return nothing("nothing_changed");
  }
}

/** Who acknowledged it as failing knows that it fails; a pager has each severity, and a program every event. */
const isKnownToFail = ({ incident, sent }: Queue, { manner }: LaneRules): boolean =>
  manner !== "webhook" &&
  manner !== "pager" &&
  sent !== null &&
  isKnownAs(incident.acknowledged, "error");

type ByOccasion = (occasion: Occasion) => Distillate;
type ByReason = (reason: DropReason) => Distillate;

function failing(
  queue: Queue,
  lead: WaitingDelivery,
  say: ByOccasion,
  nothing: ByReason,
): Distillate {
  const { waiting, sent, droppedInDoubt } = queue;
  if (sent === null) return say({ is: "opened" });
  // The answer to a recovery may have been lost: whoever has it believes that all is well.
  const inDoubt = waiting.filter(({ isInDoubt }) => isInDoubt).map(({ kind }) => kind);
  const mayBeOver = [...droppedInDoubt, ...inDoubt].some((kind) => isEnd({ kind }));
  if (mayBeOver || isUntold(queue)) return say({ is: "reopened", from: sent.severity });
  if (sent.severity !== lead.severity) return say({ is: "changed", from: sent.severity });
  return nothing("nothing_changed");
}

/** Steady again: down, or up, which is no news for whoever does not know that it was down. */
function settled(
  queue: Queue,
  lead: WaitingDelivery,
  lane: LaneRules,
  say: ByOccasion,
  nothing: ByReason,
): Distillate {
  if (!isUntold(queue) || mayStand(queue, lane)) {
    // Down still is no news for whoever has acknowledged it; a program gets every event.
    const isKnown = isDown(queue) && queue.incident.acknowledged !== null;
    return isKnown && lane.manner !== "webhook" ? nothing("acknowledged") : say({ is: "settled" });
  }
  if (isDown(queue)) return failing(queue, lead, say, nothing);
  if (queue.waiting.some(({ held }) => held === "delay")) return nothing("within_delay");
  return nothing(queue.sent === null ? "alert_unsent" : "nothing_changed");
}

function ended(
  queue: Queue,
  lead: WaitingDelivery,
  lane: LaneRules,
  say: ByOccasion,
  nothing: ByReason,
): Distillate {
  const { sent } = queue;
  const { manner } = lane;
  const isInDoubt = mayStand(queue, lane);
  // It is open again, by an event that is not among what was read: that one says how it stands. What a pager may have
  // taken waits for that event.
  if (isDown(queue) && manner !== "webhook")
    return isInDoubt ? { plan: null, dropped: [] } : nothing("nothing_changed");
  const wasRecovered = queue.incident.ended?.because === "recovered";
  if (isInDoubt) return say({ is: "ended", announced: true });
  if (!isUntold(queue)) return say({ is: "ended", announced: true });
  const alert = queue.waiting.find((one) => !isEnd(one));
  const reason = alert && heldUntilOver(queue, alert, lead.at, lane);
  if (reason) return nothing(reason);
  if (sent !== null) return nothing("nothing_changed");
  if (alert === undefined) return nothing("alert_unsent");
  if (manner === "pager" || manner === "phone") return nothing("over");
  return wasRecovered ? say({ is: "ended", announced: false }) : nothing("no_recovery");
}

const isEnd = ({ kind }: Pick<SentDelivery, "kind">): boolean =>
  kind === "closed" || kind === "settled";

/** A pager that may have taken an alert would stand at it; it leaves out the end of what it does not have. */
const mayStand = ({ waiting, droppedInDoubt }: Queue, { manner }: LaneRules): boolean =>
  manner === "pager" && (droppedInDoubt.length > 0 || waiting.some(({ isInDoubt }) => isInDoubt));
