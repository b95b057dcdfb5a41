import { setImmediate as nextTurn } from "node:timers/promises";
import { packed } from "#service/edge/send-page";
import { sorts } from "#service/operator/overview-query";
import { pageAnswer } from "#service/operator/page-routes";
import type { KnownReader, PageContext } from "#service/operator/page-request";

/**
 * The service opens its overview, once in each order, as a person will who has just started it: what that reads is kept,
 * and the code has run. The pages go to no one. It ends when a person looks, who does the same.
 */
export async function ownLook(context: PageContext, signal: AbortSignal): Promise<void> {
  const { pictures } = context;
  let { looks } = pictures;
  for (const sort of sorts) {
    if (signal.aborted || pictures.looks !== looks) return;
    looks += 1;
    const query = new URLSearchParams({ sort });
    const page = await pageAnswer(context, "/", { query, reader, theme: null, address: "" });
    const said = await pictures.openIncidents.saidIn(page);
    await packed(said.body);
    await nextTurn();
  }
}

/** Sees all that anyone may see: the page of a reader with fewer rights is a part of it. */
const reader: KnownReader = { kind: "local", formToken: "", timeZone: "" };
