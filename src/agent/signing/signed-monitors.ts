import { createHash } from "node:crypto";
import { setImmediate as turnOfLoop } from "node:timers/promises";
import { create } from "@bufbuild/protobuf";
import {
  type MonitorsResponse,
  MonitorsResponseSchema,
} from "#contract/private_location/v1/private_location_pb";
import type { SignedTimes } from "#agent/state/signed-times";
import { capital, shownName } from "#base/text";
import { failure } from "#check/failure";
import { type Kind, kinds, type Monitor } from "#check/monitor";
import { assignedName } from "#check/read-monitor";
import * as checkLimits from "#limits/check-limits";
import * as limits from "#limits/signing-limits";
import * as wireLimits from "#limits/wire-limits";
import { parseMonitorSignature } from "#signing/monitor-signature";
import { statementOf } from "#signing/monitor-statement";
import { fingerprintOf } from "#signing/public-key";
import { sshVerified } from "#signing/ssh-signature";
import type { TrustedKeys } from "#signing/trusted-keys";
import { codecOf } from "#wire/kinds/codec-table";
import type { AssignedMessages, KindCodec } from "#wire/kinds/kind-codec";
import { type Assignment, type AssignmentRemark, readAssignment } from "#wire/read-assignment";

interface SigningTools {
  readonly keys: TrustedKeys;
  /** As signatures name it. */
  readonly location: string;
  readonly times: SignedTimes;
  readonly now: () => number;
}

/** One monitor as it was assigned, and what its signature says. */
interface JudgedMonitor {
  readonly kind: Kind;
  readonly id: string;
  readonly name: string;
  /** By which it is known from one signature to the next. */
  readonly key: string;
  readonly signedAt: number;
  /** Puts it into an assignment. */
  readonly into: (response: MonitorsResponse) => void;
  /** The same without what would be sent elsewhere. */
  readonly bareInto: (response: MonitorsResponse) => void;
  /** Why it is not run, as the end of a sentence; null if it is. */
  readonly why: string | null;
  /** From when on its signature is not in the future any more; null if it is not there now. */
  readonly earlyUntil: number | null;
}

type SignatureVerdict = Pick<JudgedMonitor, "signedAt" | "why" | "earlyUntil">;

/** Lets only those monitors of an assignment be run that a trusted key signed for this location. */
export class SignedMonitors {
  readonly #tools: SigningTools;
  /** What was verified of the last assignment. */
  #verified: ReadonlySet<string> = new Set();
  /** The last assignment, if the agent's clock was behind signatures of it, and when the first of them counts. */
  #early: { readonly assignment: Assignment; readonly until: number } | null = null;

  constructor(tools: SigningTools) {
    this.#tools = tools;
  }

  /** What has to be judged once more, because the clock has come to what was in the future; null if nothing has. */
  get dueAgain(): Assignment | null {
    return this.#early !== null && this.#early.until <= this.#tools.now()
      ? this.#early.assignment
      : null;
  }

  /**
   * The assignment with a rejected monitor in place of each that may not be run: it says why at each of its slots. What runs
   * is read from messages that were verified, and from nothing else.
   */
  async admit(assignment: Assignment): Promise<Assignment> {
    const { message } = assignment;
    const judged = this.#withoutOlder(await this.#judge(message));
    const admitted = judged.filter(({ why }) => why === null);
    const refused = judged.filter(({ why }) => why !== null);
    const early = judged.flatMap(({ earlyUntil: until }) => (until === null ? [] : [until]));
    this.#early = early.length === 0 ? null : { assignment, until: Math.min(...early) };
    this.#tools.times.note(new Map(admitted.map(({ key, signedAt }) => [key, signedAt])));
    const { region, revision, newestSlots } = message;
    const own = create(MonitorsResponseSchema, { region, revision, newestSlots });
    for (const one of admitted) one.into(own);
    const read = readAssignment(own);
    return {
      ...read,
      monitors: [...read.monitors, ...rejected(refused, read.monitors)],
      remarks: [...refused.slice(0, wireLimits.remarksKeptMax).map(remarkOn), ...read.remarks],
      message,
    };
  }

  async #judge(message: MonitorsResponse): Promise<readonly JudgedMonitor[]> {
    const verified = new Set<string>();
    const judged: JudgedMonitor[] = [];
    for (const kind of kinds)
      for (const judge of this.#judging(kind, codecOf(kind).assignment.list, message, verified)) {
        judged.push(judge());
        // Beats and reports have their turns while thousands are verified.
        if (judged.length % limits.signaturesVerifiedAtOnce === 0) await turnOfLoop();
      }
    this.#verified = verified;
    return judged;
  }

  #judging<K extends Kind>(
    kind: K,
    list: KindCodec<K>["assignment"]["list"],
    message: MonitorsResponse,
    verified: Set<string>,
  ): readonly (() => JudgedMonitor)[] {
    return list(message).map((one) => () => ({
      kind,
      id: one.id,
      name: one.name,
      key: `${kind} ${one.name}`,
      ...this.#said(kind, one, verified),
      into: (response) => void list(response).push(one),
      bareInto: (response) => void list(response).push(bare(one)),
    }));
  }

  #said(kind: Kind, one: AssignedMessages[Kind], verified: Set<string>): SignatureVerdict {
    const { keys, location, now } = this.#tools;
    if (one.signature === "") return refusedFor("is missing");
    const signature = parseMonitorSignature(one.signature);
    if (!signature.ok) return refusedFor(signature.message);
    const { by, signedAt, locations } = signature.value;
    const key = keys.get(by.raw.toString("base64"));
    if (key === undefined)
      return refusedFor(`is by ${fingerprintOf(by.raw)}, which this agent does not trust`);
    if (!locations.includes(location))
      return refusedFor(
        `is for ${shownName(locations.join(", "), limits.locationsShownCharsMax)}, and not for ${location}`,
      );
    if (signedAt > now() + limits.signedAheadMax)
      return {
        ...refusedFor(`is of ${timeText(signedAt)}, which is in the future: compare the clocks`),
        earlyUntil: signedAt - limits.signedAheadMax,
      };
    const statement = statementOf(kind, one, { locations, signedAt });
    const digest = createHash("sha256").update(one.signature).update(statement).digest("base64");
    if (!this.#verified.has(digest) && !sshVerified(by, statement, key))
      return refusedFor(
        "is not of what the service sent: the monitor was changed since it was signed, or this agent is older than what signed it",
      );
    verified.add(digest);
    return { signedAt, why: null, earlyUntil: null };
  }

  /** Of several of one name the newest counts, and none that is older than what was run before. */
  #withoutOlder(judged: readonly JudgedMonitor[]): readonly JudgedMonitor[] {
    const newest = new Map<string, JudgedMonitor>();
    for (const one of judged) {
      const before = newest.get(one.key);
      if (one.why === null && (before === undefined || one.signedAt > before.signedAt))
        newest.set(one.key, one);
    }
    return judged.map((one) => {
      if (one.why !== null) return one;
      const known = this.#tools.times.of(one.key);
      if (known !== null && one.signedAt < known)
        return {
          ...one,
          why: `is of ${timeText(one.signedAt)}, older than the one of ${timeText(known)} that this agent has run`,
        };
      return newest.get(one.key) === one
        ? one
        : { ...one, why: "comes with a monitor that is assigned twice: the newest runs" };
    });
  }
}

const refusedFor = (why: string): SignatureVerdict => ({ signedAt: 0, why, earlyUntil: null });

const timeText = (at: number): string => new Date(at).toISOString();

/** Its metrics would go where no trusted key said. */
function bare<M extends AssignedMessages[Kind]>(one: M): M {
  const copy = { ...one };
  delete copy.otelConfig;
  if ("otelConfigBefore" in copy) delete copy.otelConfigBefore;
  return copy;
}

const remarkOn = ({ id, name, why }: JudgedMonitor): AssignmentRemark => ({
  monitorId: id.slice(0, checkLimits.monitorIdCharsMax),
  monitorName: assignedName(name),
  field: "signature",
  message: `${why}: the monitor is not run`,
});

/** Under ids that nothing runs under. */
function rejected(
  refused: readonly JudgedMonitor[],
  running: readonly Monitor[],
): readonly Monitor[] {
  const bareOnes = create(MonitorsResponseSchema);
  for (const one of refused) one.bareInto(bareOnes);
  const whys = new Map(refused.map(({ id, why }) => [id, why]));
  const ids = new Set(running.map(({ id }) => id));
  return readAssignment(bareOnes)
    .monitors.filter(({ id }) => !ids.has(id))
    .slice(0, Math.max(0, checkLimits.monitorsPerAgentMax - running.length))
    .map(({ id, name, kind, uri, periodicity }) => ({
      id,
      name,
      kind,
      uri,
      periodicity,
      rejection: failure(
        "agent_error",
        "config",
        capital(
          `this agent runs only signed monitors, and the signature of this one ${whys.get(id)}`,
        ),
      ),
    }));
}
