import type { Reader } from "#service/operator/reader";
import { type Role, roles } from "#service/store/people-store";

/** What a person with a role may do, in words that follow `may`. */
export const roleWords: { readonly [R in Role]: string } = {
  reader: "see everything and change nothing",
  responder: "also acknowledge, silence, comment and report",
  editor: "also change monitors, channels, locations and status pages",
  owner: "also manage people, keys and sessions",
};

/** Whether a reader may do what needs a role: whoever is on this machine, where no one signs in, may do everything. */
export const may = (reader: Exclude<Reader, { kind: "stranger" }>, needed: Role): boolean =>
  reader.kind === "local" || roles.indexOf(reader.role) >= roles.indexOf(needed);
