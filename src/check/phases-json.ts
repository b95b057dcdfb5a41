import { phaseNames, type Phases } from "#check/outcome";

/** Every phase by its name, those that did not happen as null. */
export const phasesJson = (phases: Phases): object =>
  Object.fromEntries(phaseNames.map((phase) => [phase, phases[phase]]));
