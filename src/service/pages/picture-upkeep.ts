import type { Clock } from "#clock";
import * as limits from "#limits/pages-limits";
import { drawnOverview } from "#service/pages/overview-answers";
import { firstQuery } from "#service/pages/overview-query";
import type { Pictures } from "#service/pages/pictures";

/**
 * Has the overview at hand before a person looks, and while people look: the first picture is taken and drawn after the
 * start, which also warms the code.
 */
export async function keepPictures(
  pictures: Pictures,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    // Whoever looks hears of a fault of the store: the picture is taken again for them.
    const picture = await pictures.prepare().catch(() => null);
    if (picture !== null && !signal.aborted) drawnOverview(picture, firstQuery);
    await clock.sleep(limits.pictureRenewedEvery, signal);
  }
}
