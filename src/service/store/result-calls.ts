import { callsOn, type Engine } from "#service/store/engine";
import type { MonitorId } from "#service/store/ids";
import type {
  MissedBatch,
  Receipt,
  ResultBatch,
  ResultStore,
  SeenViews,
} from "#service/store/result-store";
import { appendResults, missSlots } from "#service/store/verbs/append-results";
import type { SeriesKey } from "#service/store/packing/packed-rows";
import { forgetFromStart, forgetOld } from "#service/store/verbs/forget-old";
import { packAllDetails } from "#service/store/verbs/pack-details";
import { packResults } from "#service/store/verbs/pack-results";
import { packFromStart } from "#service/store/verbs/packing-round";
import { history } from "#service/store/verbs/history";
import { readsOfOne } from "#service/store/reads-of-one";

/** Calls about results. Those that name monitors of several database servers are done by each for its own. */
export function resultsOn(engine: Engine): ResultStore {
  let place: SeriesKey = forgetFromStart;
  let packed = { verb: packResults, place: packFromStart };
  return {
    ...callsOn(engine)(history),
    ...readsOfOne(engine),
    append: (batch) => append(engine, withOwnBytes(batch)),
    miss: (batch) => miss(engine, batch),
    newestSlots: async (location, monitors) => {
      const found = await engine.eachShare(monitors, (share) =>
        engine.execute(history.newestSlots, [location, [...share.monitors]]),
      );
      return new Map(found.flatMap((one) => (one.is === "done" ? [...one.value] : [])));
    },
    seen: (monitors) => seen(engine, monitors),
    forget: async (before) => {
      if (place === forgetFromStart) await engine.tidy(before.results);
      const next = await engine.execute(forgetOld, [before, place]);
      place = next ?? forgetFromStart;
      return next !== null;
    },
    pack: async (before) => {
      const { verb, place: from } = packed;
      const next = await engine.execute(verb, [before, from]);
      if (next !== null) packed = { verb, place: next };
      // Details follow once all results are packed, then the round is done.
      else
        packed = {
          verb: verb === packResults ? packAllDetails : packResults,
          place: packFromStart,
        };
      return next !== null || verb === packResults;
    },
  };
}

/** Of a server that is away nothing is stored, and its results are to come again; the others' are stored. */
async function append(engine: Engine, batch: ResultBatch): Promise<readonly Receipt[]> {
  const monitors = batch.results.map(({ monitor }) => monitor);
  const outcomes = await engine.eachShare(monitors, ({ monitors: own, lanes }) => {
    const results = batch.results.filter(({ monitor }) => own.has(monitor));
    return engine.execute(appendResults, [{ ...batch, results }, lanes]);
  });
  const receiptsOf = new Map<MonitorId, Iterator<Receipt>>();
  for (const one of outcomes) {
    const receipts = one.is === "done" ? one.value.values() : later();
    for (const monitor of one.share.monitors) receiptsOf.set(monitor, receipts);
  }
  // A share's receipts are in the order of its results.
  return batch.results.map(({ monitor }) => {
    const next = receiptsOf.get(monitor)?.next();
    return next === undefined || next.done === true ? { kind: "later" } : next.value;
  });
}

function* later(): Generator<Receipt> {
  for (;;) yield { kind: "later" };
}

/** Slots of a server that is away are left out: the results after them say that the location is broken as well. */
async function miss(engine: Engine, batch: MissedBatch): Promise<void> {
  const monitors = batch.missed.map(({ monitor }) => monitor);
  await engine.eachShare(monitors, ({ monitors: own, lanes }) => {
    const missed = batch.missed.filter(({ monitor }) => own.has(monitor));
    return engine.execute(missSlots, [{ ...batch, missed }, lanes]);
  });
}

async function seen(engine: Engine, monitors: readonly MonitorId[]): Promise<SeenViews> {
  const found = await engine.eachShare(monitors, (share) =>
    engine.execute(history.views, [[...share.monitors]]),
  );
  const unread = found.flatMap((one) => (one.is === "failed" ? [...one.share.monitors] : []));
  const views = found.flatMap((one) => (one.is === "done" ? one.value : []));
  return { views, unread: new Set(unread) };
}

/** A payload that is a part of a request's bytes would go to the thread with all of them. */
const withOwnBytes = (batch: ResultBatch): ResultBatch => ({
  ...batch,
  results: batch.results.map((result) => {
    const { payload } = result.detail;
    if (payload.byteLength === payload.buffer.byteLength) return result;
    return { ...result, detail: { ...result.detail, payload: payload.slice() } };
  }),
});
