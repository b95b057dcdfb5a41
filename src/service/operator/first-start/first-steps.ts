import * as limits from "#limits/pages-limits";
import type { PageRooms } from "#service/operator/page-rooms";
import type { Picture, PicturedLocation } from "#service/operator/picture";
import { monitorId } from "#service/store/ids";

/** How far a service is from its first message: a monitor, an agent that runs it, and a channel that hears of it. */
export interface FirstSteps {
  readonly monitors: number;
  /** The newest location, and whether an agent of any has come. */
  readonly location: Pick<PicturedLocation, "id" | "name" | "owner"> | null;
  readonly hasAgent: boolean;
  readonly channels: number;
  /** Monitors that no location runs. */
  readonly unassigned: number;
  /** Monitors that notify no one. Counted while the service is small: later the pages of channels say it. */
  readonly unheard: number;
}

export async function firstSteps(rooms: PageRooms, picture: Picture): Promise<FirstSteps> {
  const { monitors, locations } = picture;
  const channels = await rooms.channels.list(1, 0);
  const ids = monitors.slice(0, limits.firstMonitorsMax).map(({ id }) => monitorId(id));
  const heard =
    channels.length === 0 ? new Map() : await rooms.store.alerts.channels.ofMonitors(ids);
  const newest = locations.toSorted((a, b) => b.id - a.id)[0];
  return {
    monitors: monitors.length,
    location: newest ?? null,
    hasAgent: hasAgentAmong(locations),
    channels: channels.length,
    unassigned: monitors.filter(({ seenBy }) => seenBy.length === 0).length,
    unheard: channels.length === 0 ? 0 : ids.filter((id) => !heard.has(id)).length,
  };
}

/** The steps that a service has before it does what it is for. */
export const firstStepsMax = 3;

/** Whether someone would be notified of an outage. */
export const isStarted = (steps: FirstSteps): boolean =>
  stepsDone(steps) === firstStepsMax &&
  steps.unassigned < steps.monitors &&
  steps.unheard < steps.monitors;

/** How many of the three steps are done. */
const stepsDone = ({
  monitors,
  hasAgent,
  channels,
}: Pick<FirstSteps, "monitors" | "hasAgent" | "channels">): number =>
  [monitors > 0, hasAgent, channels > 0].filter(Boolean).length;

/** The same for the overview, which asks the store for one number, once for each picture. */
export async function stepsDoneIn({ channels }: PageRooms, picture: Picture): Promise<number> {
  const counting = channelsAt.getOrInsertComputed(picture, () => channels.count());
  counting.catch(() => channelsAt.delete(picture));
  return stepsDone({
    monitors: picture.monitors.length,
    hasAgent: hasAgentAmong(picture.locations),
    channels: await counting,
  });
}

const channelsAt = new WeakMap<Picture, Promise<number>>();

const hasAgentAmong = (locations: Picture["locations"]): boolean =>
  locations.some(({ lastSeenAt }) => lastSeenAt !== null);
