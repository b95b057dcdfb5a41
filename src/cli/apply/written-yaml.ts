import { CORE_SCHEMA, dump } from "js-yaml";

/** A value as YAML that every reader of its core schema understands: no aliases, and no line is folded. */
export const yamlOf = (value: object): string =>
  dump(value, { schema: CORE_SCHEMA, lineWidth: -1, noRefs: true, quoteStyle: "double" });
