import { alertsOn } from "#service/store/alert-calls";
import { callsOn, type Engine } from "#service/store/engine";
import type { PeopleStore } from "#service/store/people-store";
import type { PageStore } from "#service/store/page-store";
import type { ResultBatch, ResultStore } from "#service/store/result-store";
import type { StateStore } from "#service/store/state-store";
import type { Store } from "#service/store/store";
import type { ReaderStore } from "#service/store/subscriber-store";
import { accounts } from "#service/store/verbs/people-accounts";
import { appendResults, missSlots } from "#service/store/verbs/append-results";
import { auditEntries } from "#service/store/verbs/audit-entries";
import { configuration } from "#service/store/verbs/estate";
import { endedSessions } from "#service/store/verbs/ended-sessions";
import { forgetFromStart, forgetOld, type ForgetPlace } from "#service/store/verbs/forget-old";
import { history } from "#service/store/verbs/history";
import { instances } from "#service/store/verbs/instances";
import { keptForms } from "#service/store/verbs/kept-form-rows";
import { keys } from "#service/store/verbs/keys";
import { locations } from "#service/store/verbs/locations";
import { monitors } from "#service/store/verbs/monitors";
import { componentGroups, pageComponents, statusPages } from "#service/store/verbs/pages";
import { pageSessions } from "#service/store/verbs/page-sessions";
import { letters } from "#service/store/verbs/reader-letters";
import { statusReports } from "#service/store/verbs/status-reports";
import { subscribers } from "#service/store/verbs/subscribers";
import { trash } from "#service/store/verbs/trash";
import { leases, settings, states } from "#service/store/verbs/work";

/** The store as its callers see it, on whatever engine does the verbs. */
export const storeOn = (engine: Engine): Store => ({
  engine: engine.name,
  results: resultsOn(engine),
  state: stateOn(engine),
  alerts: alertsOn(engine),
  pages: pagesOn(engine),
  readers: readersOn(engine),
  people: peopleOn(engine),
  configuration: callsOn(engine)(configuration),
  audit: callsOn(engine)(auditEntries),
  trash: callsOn(engine)(trash),
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

function peopleOn(engine: Engine): PeopleStore {
  const calls = callsOn(engine);
  return {
    accounts: calls(accounts),
    sessions: calls(pageSessions),
    keptForms: calls(keptForms),
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
