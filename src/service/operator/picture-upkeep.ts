import { setImmediate as nextTurn } from "node:timers/promises";
import type { Clock } from "#base/clock";
import * as limits from "#limits/pages-limits";
import { drawnOverview, drawnPart } from "#service/operator/overview-answers";
import { noPicks } from "#service/operator/monitors/picks";
import { firstQuery } from "#service/operator/overview-query";
import { daysShownOf, drawnDays } from "#service/operator/overview-view";
import type { Picture } from "#service/operator/picture";
import type { Pictures } from "#service/operator/pictures";

/**
 * Has the overview at hand before a person looks, and while people look. The first one is drawn as a whole: that warms
 * the code, which takes longer than all else.
 */
export async function keepPictures(
  pictures: Pictures,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  let isWarm = false;
  while (!signal.aborted) {
    // Whoever looks hears of a fault of the store: the picture is taken again for them.
    const picture = await pictures.prepare().catch(() => null);
    if (picture?.detail === "brief") {
      // Drawn for whoever looks next; a fault is shown to them as well.
      await drawnPart(pictures, picture, firstQuery, { drawnFor: "editor", picks: noPicks }).catch(
        () => {},
      );
    } else if (picture !== null) {
      await drawBars(picture, signal);
      if (!isWarm && !signal.aborted) drawnOverview(picture, firstQuery, "editor");
      isWarm = true;
    }
    await clock.sleep(limits.pictureRenewedEvery, signal);
  }
}

/** In portions: results that come in meanwhile are taken in between. */
async function drawBars(picture: Picture, signal: AbortSignal): Promise<void> {
  const { monitors } = picture;
  const count = daysShownOf(picture);
  for (const [index, { days }] of monitors.entries()) {
    if (index % limits.barsDrawnAtOnce === 0) await nextTurn();
    if (signal.aborted) return;
    drawnDays(days, count);
  }
}
