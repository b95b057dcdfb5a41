import * as limits from "#limits/pages-limits";
import { placeOf } from "#service/alerts/incident-words";
import { nameOfActor } from "#service/operator/changes/actor-name";
import { firstEntry } from "#service/operator/changes/first-entry";
import { isOfMonitor } from "#service/operator/incidents/incident-subject";
import type { PageRooms } from "#service/operator/page-rooms";
import type { Picture } from "#service/operator/picture";
import type { Story } from "#service/store/alert-store";
import type { NewsTally } from "#service/store/news/news-tally";
import type { PageContent, ReportRow, StatusPageRow } from "#service/store/page-store";

/** What readers of a status page learn of an incident. */
export interface IncidentReport {
  readonly report: ReportRow;
  readonly page: StatusPageRow;
  /** Who wrote it first; null if that is not known any more. */
  readonly by: string | null;
  /** What became of its newest update that went to the subscribers; null if none did, or that is forgotten. */
  readonly sent: NewsTally | null;
}

export interface ReportedIncident {
  /** Status pages that show what it is about: a monitor, or one that runs at the location. */
  readonly pages: readonly StatusPageRow[];
  /** Reports on components of it that were open while it was: the open ones first, then the newest. */
  readonly reports: readonly IncidentReport[];
}

/** Where a person would report it, and what is reported there. */
export async function reportedIncident(
  rooms: PageRooms,
  story: Story,
  picture: Picture,
): Promise<ReportedIncident> {
  const concerned = concernedMonitors(story, picture);
  if (concerned.size === 0) return { pages: [], reports: [] };
  const isConcerned = (one: PageContent["components"][number]): boolean =>
    one.monitor !== null && concerned.has(one.monitor);
  const listed = await rooms.statusPages.list(limits.statusPagesLookedAt, 0);
  const all = await Promise.all(listed.map(({ id }) => rooms.statusPages.content(id)));
  const contents = all
    .filter(({ components }) => components.some(isConcerned))
    .slice(0, limits.namesShown);
  const components = contents.flatMap((one) => one.components.filter(isConcerned));
  return {
    pages: contents.map(({ page }) => page),
    reports: await reportsOn(
      rooms,
      story,
      contents,
      components.map(({ id }) => id),
    ),
  };
}

function concernedMonitors(story: Story, { monitors }: Picture): ReadonlySet<number> {
  const { subject } = story.incident;
  if (isOfMonitor(subject)) return new Set([subject.id]);
  const place = placeOf(story);
  if (place === null) return new Set();
  const there = monitors.filter(({ seenBy }) => seenBy.some(({ location }) => location === place));
  return new Set(there.map(({ id }): number => id));
}

async function reportsOn(
  { store, clock }: PageRooms,
  { incident }: Story,
  contents: readonly PageContent[],
  components: readonly number[],
): Promise<readonly IncidentReport[]> {
  const from = incident.startedAt;
  const until = incident.ended?.at ?? clock.wall();
  const naming = { components, from, until, limit: limits.reportsListed };
  const [named, ...lately] = await Promise.all([
    store.pages.reports.naming(naming),
    ...contents.map(({ page }) => store.pages.reports.lately(page.id, from)),
  ]);
  // One that names no component is of its page as a whole.
  const ofPages = lately
    .flat()
    .filter((one) => one.components.length === 0 && one.createdAt <= until);
  const found = [...named, ...ofPages].slice(0, limits.reportsListed);
  const about = found.flatMap(({ updates }) => updates.map(({ id }) => id));
  const tallies = await store.readers.letters.tallies({ kind: "report", about });
  const reports = await Promise.all(
    found.map(async (report) => {
      const page = contents.find((one) => one.page.id === report.page)?.page;
      const subject = { kind: "report", id: String(report.id) } as const;
      const made = await firstEntry(store, subject, report.createdAt);
      return page === undefined
        ? []
        : [
            {
              report,
              page,
              by: made === null ? null : nameOfActor(made),
              sent: sentOf(report, tallies),
            },
          ];
    }),
  );
  return reports.flat().toSorted((a, b) => Number(isOver(a)) - Number(isOver(b)));
}

const sentOf = ({ updates }: ReportRow, tallies: readonly NewsTally[]): NewsTally | null =>
  tallies.find(({ about }) => updates.some(({ id }) => id === about)) ?? null;

const isOver = ({ report }: IncidentReport): boolean => report.status === "resolved";

/** The newest open one on a page; null if none is. */
export const openReportOn = (
  { reports }: Pick<ReportedIncident, "reports">,
  page: StatusPageRow,
): ReportRow | null =>
  reports.find((one) => one.page.id === page.id && !isOver(one))?.report ?? null;
