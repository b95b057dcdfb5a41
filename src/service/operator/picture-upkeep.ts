import * as limits from "#limits/pages-limits";
import { drawnPart } from "#service/operator/overview-answers";
import { noPicks } from "#service/operator/monitors/picks";
import { firstQuery } from "#service/operator/overview-query";
import type { PageContext } from "#service/operator/page-request";
import type { PageRooms } from "#service/operator/page-rooms";
import { ownLook } from "#service/operator/pictures/own-look";

/**
 * Has the overview at hand before a person looks, and while people look. When the first picture is there, the service looks
 * at it itself: that warms the code, which takes longer than all else.
 */
export async function keepPictures(
  rooms: PageRooms & Pick<PageContext, "pictures">,
  signal: AbortSignal,
): Promise<void> {
  const { pictures, clock } = rooms;
  let looking: Promise<void> | null = null;
  while (!signal.aborted) {
    // Whoever looks hears of a fault of the store: the picture is taken again for them.
    const picture = await pictures.prepare().catch(() => null);
    if (picture !== null) {
      // The first page alone is drawn for whoever looks next; a fault is shown to them as well.
      const first = drawnPart(pictures, picture, firstQuery, {
        drawnFor: "editor",
        picks: noPicks,
      });
      await first.catch(() => {});
    }
    if (picture?.detail === "whole")
      looking ??= ownLook({ rooms, pictures }, signal).catch(() => {});
    await clock.sleep(limits.pictureRenewedEvery, signal);
  }
  await looking;
}
