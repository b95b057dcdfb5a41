import { callsOn, type Engine, groupsOn } from "#service/store/engine";
import type { ResultBatch, ResultStore } from "#service/store/result-store";
import type { Store } from "#service/store/store";
import { verbGroups } from "#service/store/verb-groups";
import { appendResults, missSlots } from "#service/store/verbs/append-results";
import { forgetFromStart, forgetOld, type ForgetPlace } from "#service/store/verbs/forget-old";
import { history } from "#service/store/verbs/history";

/** The store as its callers see it, on whatever engine does the verbs. */
export const storeOn = (engine: Engine): Store => ({
  engine: engine.name,
  results: resultsOn(engine),
  state: groupsOn(engine, verbGroups.state),
  alerts: groupsOn(engine, verbGroups.alerts),
  pages: groupsOn(engine, verbGroups.pages),
  readers: groupsOn(engine, verbGroups.readers),
  people: groupsOn(engine, verbGroups.people),
  ...groupsOn(engine, verbGroups.alone),
  onChange: (listener) => engine.onChange(listener),
  health: () => engine.health(),
  backup: (file) => engine.backup(file),
  [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
});

function resultsOn(engine: Engine): ResultStore {
  let place: ForgetPlace = forgetFromStart;
  return {
    ...callsOn(engine)(history),
    append: (batch) => engine.execute(appendResults, [withOwnBytes(batch)]),
    miss: (batch) => engine.execute(missSlots, [batch]),
    forget: async (before) => {
      if (place === forgetFromStart) await engine.tidy(before.results);
      const next = await engine.execute(forgetOld, [before, place]);
      place = next ?? forgetFromStart;
      return next !== null;
    },
  };
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
