import { randomUUID } from "node:crypto";
import type { Clock } from "#base/clock";
import type { Configuration } from "#contract/picket/v1/configuration_pb";
import * as alertsLimits from "#limits/alerts-limits";
import * as checkLimits from "#limits/check-limits";
import * as statusLimits from "#limits/status-limits";
import * as serviceLimits from "#limits/service-limits";
import { because, Refusal, refuseControls, refuseViolations } from "#service/edge/call-refusal";
import type { NotificationChannels } from "#service/channels/notification-channels";
import { foreseenIn } from "#service/configuration/foreseen-plan";
import type { Instances } from "#service/agents/instances";
import { type ReadOnlyOwner, refuseReadOnly } from "#service/configuration/object-guard";
import { planMonitors } from "#service/configuration/monitor-plan";
import { commonOwner } from "#service/configuration/owner";
import { placesByName } from "#service/configuration/places-by-id";
import { planPlaces } from "#service/configuration/place-plan";
import { type Plan, Planning } from "#service/configuration/planning";
import { planPages, refuseTakenDomains } from "#service/configuration/page-plan";
import { objectKindOf, ownedKinds, wordsOf } from "#service/configuration/planned-change";
import { namedObjects, planRemains } from "#service/configuration/remains";
import { planTargets } from "#service/configuration/target-plan";
import { unheardMonitors } from "#service/configuration/unheard-monitors";
import { planWindows } from "#service/configuration/window-plan";
import { type WantedConfiguration, wantedIn } from "#service/configuration/wanted";
import type { StatusPages } from "#service/status-site/status-pages";
import type { LocationTokens } from "#service/agents/location-tokens";
import { type Actor, actingAs, actorNow } from "#service/store/audit/actor";
import type { ConfigurationStore, Estate } from "#service/store/configuration-store";
import type { Store } from "#service/store/store";

/** What an apply came to. */
interface Application {
  readonly plan: Plan;
  /** Of the locations that were made, by name. */
  readonly tokens: ReadonlyMap<string, string>;
}

interface ConfigurationRooms {
  readonly channels: NotificationChannels;
  readonly statusPages: StatusPages;
  readonly tokens: LocationTokens;
  readonly instances: Instances;
  readonly clock: Clock;
  readonly readOnly: ReadOnlyOwner | null;
}

/** Configuration as code: what files want is compared with all that there is, and made in one transaction. */
export class Configurations {
  readonly #store: ConfigurationStore;
  readonly #rooms: ConfigurationRooms;

  constructor({ configuration }: Store, rooms: ConfigurationRooms) {
    this.#store = configuration;
    this.#rooms = rooms;
  }

  async plan(message: Configuration | undefined, prune: boolean): Promise<Plan> {
    return this.#planned(wantedOf(message, prune), prune, new Map());
  }

  /** All of a plan or nothing; refused where the service is no longer as it was planned. */
  async apply(
    message: Configuration | undefined,
    prune: boolean,
    revision: string | null,
  ): Promise<Application> {
    const tokens = new Map<string, string>();
    const plan = await this.#planned(wantedOf(message, prune), prune, tokens);
    const [conflict] = plan.conflicts;
    if (conflict !== undefined)
      throw new Refusal("failed_precondition", plan.conflicts.join(" "), because("CONFLICT"));
    if (revision !== null && plan.revision !== revision) throw moved();
    const made = await actingAs(filesOf(message, this.#rooms.clock), () =>
      this.#store.change(plan.revision, plan.writes),
    );
    if (made === null) throw moved();
    return { plan, tokens };
  }

  /** Makes an object that is there one of an owner, or of none: no files manage it then, and people do. */
  async adopt(asked: {
    readonly kind: string;
    readonly name: string;
    readonly id: string;
    readonly owner: string;
    readonly fromOwner: string;
  }): Promise<{ readonly id: string; readonly name: string }> {
    const kind = ownedKinds.find((one) => one === asked.kind);
    if (kind === undefined)
      throw new Refusal("invalid_argument", `kind must be one of ${ownedKinds.join(", ")}`);
    const isReleased = asked.owner === "" && asked.fromOwner !== "";
    if ((asked.owner === "" && !isReleased) || asked.owner.length > checkLimits.nameCharsMax)
      refuseViolations([
        { field: "owner", message: `must have 1 to ${checkLimits.nameCharsMax} characters` },
      ]);
    refuseControls("owner", asked.owner);
    const named = namedObjects(kind, await this.#store.estate()).filter(
      (one) =>
        (asked.id === "" || String(one.id) === asked.id) &&
        (asked.name === "" || one.name === asked.name),
    );
    // Of two of a name, the one that the owner has is meant.
    const theirs = named.filter(({ owner }) => asked.fromOwner !== "" && owner === asked.fromOwner);
    const found = theirs.length === 1 ? theirs : named;
    const [one, ...others] = found;
    if (one === undefined)
      throw new Refusal("not_found", `there is no ${wordsOf(kind)} "${asked.name}"`);
    if (others.length > 0)
      throw new Refusal(
        "failed_precondition",
        `there are ${found.length} of the name "${asked.name}": give one of the ids ${found.map(({ id }) => id).join(", ")}`,
      );
    refuseReadOnly(this.#rooms.readOnly, one.owner);
    const takenFrom = isReleased
      ? [asked.fromOwner]
      : ["", commonOwner, asked.owner, asked.fromOwner];
    if (!takenFrom.includes(one.owner)) throw ownedByOthers(wordsOf(kind), one);
    if (!(await this.#store.own(objectKindOf(kind), one.id, asked.owner, one.owner)))
      throw overtaken(wordsOf(kind), one.name);
    return { id: String(one.id), name: one.name };
  }

  async #planned(
    asked: WantedConfiguration,
    prune: boolean,
    tokens: Map<string, string>,
  ): Promise<Plan> {
    const estate = await this.#store.estate();
    const wanted = { ...asked, locations: placesByName(asked.locations, estate.locations) };
    const planning = new Planning(estate, wanted);
    const at = this.#rooms.clock.wall();
    planMonitors(planning, wanted.monitors, at);
    const seal = (name: string) => {
      const uid = randomUUID();
      const { token, made } = this.#rooms.tokens.sealedFor(uid);
      tokens.set(name, token);
      return { uid, token: made };
    };
    planPlaces(planning, wanted.locations, { at, seal });
    planTargets(planning, wanted.channels, { at, channels: this.#rooms.channels });
    planPages(planning, wanted.pages, { at, statusPages: this.#rooms.statusPages });
    planWindows(planning, wanted.maintenances, at);
    const unmanaged = planRemains(planning, prune);
    refuseTakenDomains(planning, wanted.pages);
    refuseTooMany(estate, planning);
    const { changes, conflicts, writes } = planning;
    const warnings = await foreseenIn(wanted, estate, this.#rooms.instances);
    const unheard = conflicts.length === 0 ? unheardMonitors(planning, wanted.monitors) : 0;
    return { revision: estate.revision, changes, unmanaged, conflicts, warnings, unheard, writes };
  }
}

/** Files change what they say; the key that applied them is named with them. */
function filesOf(message: Configuration | undefined, clock: Clock): Actor {
  const actor = actorNow();
  const owner = message?.owner === undefined || message.owner === "" ? "files" : message.owner;
  const name =
    actor.kind === "service" ? owner : `${owner}, applied by ${actor.kind} ${actor.name}`;
  return { kind: "files", name, from: actor.from, at: clock.wall() };
}

function wantedOf(message: Configuration | undefined, prune: boolean): WantedConfiguration {
  if (message === undefined) throw new Refusal("invalid_argument", "configuration is required");
  if (prune && (message.owner === "" || message.owner === commonOwner))
    refuseViolations([
      { field: "owner", message: "is required to prune: only what it owns is deleted" },
    ]);
  return wantedIn(message);
}

const moved = (): Refusal =>
  new Refusal(
    "aborted",
    "the service has changed since the plan was made, and nothing was applied: plan again",
    because("REVISION_MOVED"),
  );

function refuseTooMany(
  { monitors, locations, channels, pages }: Estate,
  { writes }: Planning,
): void {
  const made = writes.monitors.filter(({ id }) => id === null).length;
  const gone = (kind: string): number => writes.removals.filter((one) => one.kind === kind).length;
  const counts = [
    ["monitors", monitors.length + made - gone("monitor"), serviceLimits.serviceMonitorsMax],
    [
      "private locations",
      locations.length + writes.newLocations.length - gone("location"),
      serviceLimits.serviceLocationsMax,
    ],
    [
      "notification channels",
      channels.length + writes.newChannels.length - gone("channel"),
      alertsLimits.serviceChannelsMax,
    ],
    [
      "status pages",
      pages.length + writes.pages.filter(({ id }) => id === null).length - gone("page"),
      statusLimits.statusPagesMax,
    ],
  ] as const;
  for (const [what, count, most] of counts)
    if (count > most)
      throw new Refusal("resource_exhausted", `there would be ${count} ${what}, more than ${most}`);
}

const overtaken = (words: string, name: string): Refusal =>
  new Refusal(
    "aborted",
    `the ${words} "${name}" was taken or deleted meanwhile, and nothing was changed: try again`,
  );

const ownedByOthers = (
  words: string,
  { name, owner }: { readonly name: string; readonly owner: string },
): Refusal =>
  new Refusal(
    "failed_precondition",
    owner === ""
      ? `the ${words} "${name}" belongs to no files`
      : `the ${words} "${name}" belongs to "${owner}": name that owner (--from) to take it`,
  );
