import { alertsOn } from "#store/alert-calls";
import type { ConfigurationStore } from "#store/configuration-store";
import { callsOn, type Engine } from "#store/engine";
import type { PageStore } from "#store/page-store";
import type { ResultBatch, ResultStore } from "#store/result-store";
import type { StateStore } from "#store/state-store";
import type { Store } from "#store/store";
import type { ReaderStore } from "#store/subscriber-store";
import { appendResults, missSlots } from "#store/verbs/append-results";
import { configuration } from "#store/verbs/estate";
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
  configuration: configurationOn(engine),
  onChange: (listener) => engine.onChange(listener),
  health: () => engine.health(),
  backup: (file) => engine.backup(file),
  [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
});

function resultsOn(engine: Engine): ResultStore {
  const call = callsOn(engine);
  let place: ForgetPlace = forgetFromStart;
  return {
    append: (batch) => engine.execute(appendResults, [withOwnBytes(batch)]),
    miss: call(missSlots),
    gaps: call(history.gaps),
    newestSlots: call(history.newestSlots),
    views: call(history.views),
    totals: call(history.totals),
    window: call(history.window),
    result: call(history.result),
    buckets: call(history.buckets),
    days: call(history.days),
    medians: call(history.medians),
    stretches: call(history.stretches),
    reasons: call(history.reasons),
    lastDetailed: call(history.lastDetailed),
    forget: async (before) => {
      if (place === forgetFromStart) await engine.tidy(before.results);
      const next = await engine.execute(forgetOld, [before, place]);
      place = next ?? forgetFromStart;
      return next !== null;
    },
  };
}

function stateOn(engine: Engine): StateStore {
  const call = callsOn(engine);
  return {
    settings: {
      all: call(settings.all),
      put: call(settings.put),
      remove: call(settings.remove),
      hasSealed: call(settings.hasSealed),
    },
    monitors: monitorsOn(engine),
    locations: locationsOn(engine),
    instances: {
      of: call(instances.of),
      impaired: call(instances.impaired),
      keep: call(instances.keep),
      forget: call(instances.forget),
    },
    keys: {
      create: call(keys.create),
      createFirst: call(keys.createFirst),
      list: call(keys.list),
      get: call(keys.get),
      idOfUid: call(keys.idOfUid),
      revoke: call(keys.revoke),
      ofHash: call(keys.ofHash),
      used: call(keys.used),
    },
    states: { of: call(states.of), due: call(states.due), put: call(states.put) },
    leases: {
      hold: call(leases.hold),
      release: call(leases.release),
      holders: call(leases.holders),
    },
  };
}

function monitorsOn(engine: Engine): StateStore["monitors"] {
  const call = callsOn(engine);
  return {
    create: call(monitors.create),
    update: call(monitors.update),
    delete: call(monitors.delete),
    get: call(monitors.get),
    among: call(monitors.among),
    idOfUid: call(monitors.idOfUid),
    list: call(monitors.list),
    count: call(monitors.count),
    activeIds: call(monitors.activeIds),
  };
}

function locationsOn(engine: Engine): StateStore["locations"] {
  const call = callsOn(engine);
  return {
    create: call(locations.create),
    update: call(locations.update),
    delete: call(locations.delete),
    get: call(locations.get),
    idOfUid: call(locations.idOfUid),
    among: call(locations.among),
    list: call(locations.list),
    all: call(locations.all),
    monitorsOf: call(locations.monitorsOf),
    count: call(locations.count),
    ofToken: call(locations.ofToken),
    revisionsOf: call(locations.revisionsOf),
    tokens: call(locations.tokens),
    rotate: call(locations.rotate),
    seen: call(locations.seen),
    stopped: call(locations.stopped),
    shiftSigns: call(locations.shiftSigns),
    endSignsBy: call(locations.endSignsBy),
    forgetTokens: call(locations.forgetTokens),
  };
}

function pagesOn(engine: Engine): PageStore {
  const call = callsOn(engine);
  return {
    pages: {
      create: call(statusPages.create),
      update: call(statusPages.update),
      delete: call(statusPages.delete),
      get: call(statusPages.get),
      idOfSlug: call(statusPages.idOfSlug),
      idOfDomain: call(statusPages.idOfDomain),
      list: call(statusPages.list),
      count: call(statusPages.count),
      content: call(statusPages.content),
    },
    components: {
      create: call(pageComponents.create),
      update: call(pageComponents.update),
      delete: call(pageComponents.delete),
      get: call(pageComponents.get),
      countOf: call(pageComponents.countOf),
    },
    groups: {
      create: call(componentGroups.create),
      update: call(componentGroups.update),
      delete: call(componentGroups.delete),
      get: call(componentGroups.get),
      countOf: call(componentGroups.countOf),
    },
    reports: {
      create: call(statusReports.create),
      change: call(statusReports.change),
      addUpdate: call(statusReports.addUpdate),
      delete: call(statusReports.delete),
      get: call(statusReports.get),
      list: call(statusReports.list),
      lately: call(statusReports.lately),
    },
  };
}

function readersOn(engine: Engine): ReaderStore {
  const call = callsOn(engine);
  return {
    subscribers: {
      ask: call(subscribers.ask),
      askEntry: call(subscribers.askEntry),
      enter: call(subscribers.enter),
      add: call(subscribers.add),
      confirm: call(subscribers.confirm),
      choose: call(subscribers.choose),
      leave: call(subscribers.leave),
      get: call(subscribers.get),
      ofMark: call(subscribers.ofMark),
      list: call(subscribers.list),
      forget: call(subscribers.forget),
    },
    letters: {
      due: call(letters.due),
      claim: call(letters.claim),
      settle: call(letters.settle),
      release: call(letters.release),
      waiting: call(letters.waiting),
    },
  };
}

function configurationOn(engine: Engine): ConfigurationStore {
  const call = callsOn(engine);
  return {
    estate: call(configuration.estate),
    change: call(configuration.change),
    touch: call(configuration.touch),
    ownerOf: call(configuration.ownerOf),
    own: call(configuration.own),
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
