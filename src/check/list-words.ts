import { kinds } from "#check/monitor";

/** `http_monitors, tcp_monitors or dns_monitors`: the lists of a monitors file, for a sentence. */
export const listWords = (last: "and" | "or"): string =>
  kinds
    .map((kind) => `${kind}_monitors`)
    .join(", ")
    .replace(/, (?=[^,]*$)/, ` ${last} `);
