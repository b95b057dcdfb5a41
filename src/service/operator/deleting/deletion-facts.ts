import { reportWords } from "#service/operator/publishing/report-fields";
import type { AskedKind } from "#service/operator/deleting/delete-view";
import { namesOf, type RemovalFact } from "#service/operator/deleting/removal-view";
import { periodWords } from "#service/operator/monitors/common-fields";
import { targetOf } from "#service/operator/monitor-picture";
import type { PageRooms } from "#service/operator/page-rooms";
import { momentOf } from "#web/page/moment";

type FactReader = (rooms: PageRooms, id: string) => Promise<readonly RemovalFact[]>;

/** What each kind of object is, as far as a person who deletes it has to know: by names, so that no other is meant. */
export const factsOf: { readonly [K in AskedKind]: FactReader } = {
  monitor: async (rooms, id) => {
    const row = await rooms.monitors.get(id);
    const [locations, channels] = await Promise.all([
      rooms.locations.among(row.locations),
      rooms.store.alerts.channels.ofMonitors([row.id]),
    ]);
    const notified = channels.get(row.id) ?? [];
    return [
      ["Target", targetOf(row)],
      ["Checked", row.definition.active ? periodWords(row.definition.periodicity) : "paused"],
      ...named("Locations", locations),
      ...named("Notifies", notified),
    ];
  },
  page: async ({ statusPages }, id) => {
    const { definition } = await statusPages.get(id);
    const { components } = await statusPages.content(Number(id));
    return [
      ["Address", `/${definition.slug}`],
      ["State", definition.published ? "published" : "draft"],
      ...named("Components", components),
    ];
  },
  report: async ({ store, statusPages }, id) => {
    const report = await store.pages.reports.get(Number(id));
    if (report === null) return [];
    const page = await statusPages.get(String(report.page));
    return [
      ["Status page", page.definition.title],
      ["State", reportWords[report.status]],
      ["Last changed", momentOf(report.updatedAt)],
    ];
  },
};

const named = (what: string, all: readonly { readonly name: string }[]): readonly RemovalFact[] =>
  all.length === 0 ? [] : [[what, namesOf(all.map(({ name }) => name))]];
