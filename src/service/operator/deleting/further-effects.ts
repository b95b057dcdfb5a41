import { counted } from "#web/page/format";
import type { AskedKind } from "#service/operator/deleting/delete-view";
import type { PageRooms } from "#service/operator/page-rooms";

type EffectReader = (rooms: PageRooms, id: string) => Promise<readonly string[]>;

/** What becomes of other things than those that are counted with an object, in sentences. */
export const furtherEffects: { readonly [K in AskedKind]: EffectReader } = {
  monitor: () => Promise.resolve([]),
  page: async ({ store }, id) => {
    const { total } = await store.alerts.maintenances.list(id, { limit: 1, offset: 0 });
    const [go, they, cover] = total === 1 ? ["goes", "it", "covers"] : ["go", "they", "cover"];
    return total === 0
      ? []
      : [
          `${counted(total, "planned maintenance")} that it shows ${go} with it, and monitors that ${they} ${cover} open incidents.`,
        ];
  },
  report: async ({ store }, id) =>
    (await store.pages.reports.wasAnnounced(Number(id)))
      ? [
          "Subscribers who were sent it are not sent that it is deleted. To tell them, post an update before.",
        ]
      : [],
};
