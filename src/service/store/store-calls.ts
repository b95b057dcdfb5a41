import { type Engine, groupsOn } from "#service/store/engine";
import { resultsOn } from "#service/store/result-calls";
import type { Store } from "#service/store/store";
import { verbGroups } from "#service/store/verb-groups";

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
  get serversAway() {
    return engine.serversAway;
  },
  backup: (file) => engine.backup(file),
  [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
});
