import { alertsOn } from "#store/alert-calls";
import { callsOn, type Engine } from "#store/engine";
import type { PageStore } from "#store/page-store";
import type { ResultBatch, ResultStore } from "#store/result-store";
import type { StateStore } from "#store/state-store";
import type { Store } from "#store/store";
import type { ReaderStore } from "#store/subscriber-store";
import { appendResults, missSlots } from "#store/verbs/append-results";
import { configuration } from "#store/verbs/estate";
import { endedSessions } from "#store/verbs/ended-sessions";
import { forgetFromStart, forgetOld, type ForgetPlace } from "#store/verbs/forget-old";
import { history } from "#store/verbs/history";
import { instances } from "#store/verbs/instances";
import { keys } from "#store/verbs/keys";
import { locations } from "#store/verbs/locations";
import { monitors } from "#store/verbs/monitors";
import { componentGroups, pageComponents, statusPages } from "#store/verbs/pages";
import { letters } from "#store/verbs/reader-letters";
import { statusReports } from "#store/verbs/status-reports";
import { subscribers } from "#store/verbs/subscribers";
import { leases, settings, states } from "#store/verbs/work";

/** The store as its callers see it, on whatever engine does the verbs. */
export const storeOn = (engine: Engine): Store => ({
  engine: engine.name,
  results: resultsOn(engine),
  state: stateOn(engine),
  alerts: alertsOn(engine),
  pages: pagesOn(engine),
  readers: readersOn(engine),
  configuration: callsOn(engine)(configuration),
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

function stateOn(engine: Engine): StateStore {
  const calls = callsOn(engine);
  return {
    settings: calls(settings),
    monitors: calls(monitors),
    locations: calls(locations),
    instances: calls(instances),
    keys: calls(keys),
    endedSessions: calls(endedSessions),
    states: calls(states),
    leases: calls(leases),
  };
}

function pagesOn(engine: Engine): PageStore {
  const calls = callsOn(engine);
  return {
    pages: calls(statusPages),
    components: calls(pageComponents),
    groups: calls(componentGroups),
    reports: calls(statusReports),
  };
}

function readersOn(engine: Engine): ReaderStore {
  const calls = callsOn(engine);
  return { subscribers: calls(subscribers), letters: calls(letters) };
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
