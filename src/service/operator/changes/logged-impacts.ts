import { isMapping } from "#base/json";

/** What an update of a report, or a template of one, says of components, as the log has it: by their numbers. */
interface LoggedImpacts {
  /** The numbers of the components. */
  readonly components: readonly string[];
  /** The whole update with what its components are called. */
  readonly named: (nameOf: (component: string) => string) => string;
}

/** Null of any other field, and of what was cut because it was too long. */
export function loggedImpacts(field: string, value: string | null): LoggedImpacts | null {
  if (value === null || !/^(?:update|template) \d+$/.test(field)) return null;
  try {
    const said: unknown = JSON.parse(value);
    if (!isMapping(said) || !Array.isArray(said["impacts"])) return null;
    const impacts = said["impacts"].filter(isMapping);
    return {
      components: impacts.map(({ component }) => String(component)),
      named: (nameOf) =>
        JSON.stringify({
          ...said,
          impacts: impacts.map((one) => ({ ...one, component: nameOf(String(one["component"])) })),
        }),
    };
  } catch {
    return null;
  }
}
