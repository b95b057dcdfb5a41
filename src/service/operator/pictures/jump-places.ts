import { bestNamed } from "#base/name-rank";
import { searchedAs } from "#base/searched-as";
import { hasWords } from "#base/text";
import * as limits from "#limits/pages-limits";
import * as jumpLimits from "#limits/jump-limits";
import { type KnownReader, mayChange, type PageContext } from "#service/operator/page-request";
import type { Picture } from "#service/operator/picture";
import { may } from "#service/operator/roles";
import type { Role } from "#service/store/people-store";

/** A page that is found by its name: what it is of is no monitor. */
export interface JumpPlace {
  readonly words: string;
  /** What it is, e.g. a channel. */
  readonly note: string;
  readonly path: string;
}

/** A page of the settings, with other words that people type for it. */
interface SettingsPlace extends Omit<JumpPlace, "note"> {
  readonly also: string;
  readonly role: Role;
}

const settings: readonly SettingsPlace[] = [
  { words: "Profile", also: "password time zone theme", path: "/settings", role: "reader" },
  { words: "Passkeys", also: "", path: "/settings/passkeys", role: "reader" },
  { words: "Sessions", also: "sign out", path: "/settings/sessions", role: "reader" },
  { words: "People", also: "users accounts roles", path: "/settings/people", role: "owner" },
  { words: "Invite a person", also: "new user", path: "/settings/people/new", role: "owner" },
  { words: "API keys", also: "token", path: "/settings/keys", role: "owner" },
  { words: "New API key", also: "create token", path: "/settings/keys/new", role: "owner" },
  { words: "Service", also: "version database", path: "/settings/service", role: "owner" },
  { words: "Mail server", also: "smtp e-mail", path: "/settings/mail", role: "owner" },
  { words: "Audit log", also: "changes history who", path: "/changes", role: "reader" },
];

/** Something with a name and a page, and what a verb before the name leads to. */
interface NamedThing extends JumpPlace {
  /** In words, with the verb first; empty for a reader who may do nothing with it. */
  readonly acts: readonly Omit<JumpPlace, "note">[];
}

/**
 * The first locations, channels, status pages, reports, planned work, people, keys and pages of the settings that a text
 * finds: those that it names best, and in this order. `edit …` and `report on …` lead to the forms of those with that name.
 */
export async function jumpPlaces(
  context: PageContext,
  picture: Picture,
  text: string,
  reader: KnownReader,
): Promise<readonly JumpPlace[]> {
  const typed = searchedAs(text).split(/\s+/);
  const isFound = (words: string): boolean => hasWords(searchedAs(words), typed);
  const all = await everythingNamed(context, picture, reader);
  const found = [
    ...all.flatMap(({ words, note, path }) => (isFound(words) ? [{ words, note, path }] : [])),
    ...all.flatMap(({ words: name, note, acts }) =>
      acts.flatMap(({ words, path }) =>
        isFound(words) && !isFound(name) ? [{ words, note, path }] : [],
      ),
    ),
    ...settings.flatMap(({ words, also, role, path }) =>
      may(reader, role) && isFound(`${words} ${also}`) ? [{ words, note: "Settings", path }] : [],
    ),
  ];
  const named = found.map((place) => ({ name: place.words, place }));
  return bestNamed(named, text)
    .map(({ place }) => place)
    .slice(0, jumpLimits.jumpFoundMax);
}

/** All that this reader may see; of reports and planned work, the newest. */
async function everythingNamed(
  { rooms }: PageContext,
  { locations }: Picture,
  reader: KnownReader,
): Promise<readonly NamedThing[]> {
  const titles = { limit: jumpLimits.jumpTitlesRead, offset: 0 };
  const [channels, pages, reported, work, owned] = await Promise.all([
    rooms.store.alerts.channels.heads(),
    rooms.statusPages.list(limits.statusPagesOfferedMax, 0),
    rooms.store.pages.reports.titles(jumpLimits.jumpTitlesRead),
    rooms.store.alerts.maintenances.list(null, titles),
    may(reader, "owner") ? ofOwners(rooms) : [],
  ]);
  const edited = (name: string, note: string, path: string): NamedThing => ({
    ...named(name, note, path),
    acts: mayChange(reader) ? [{ words: `Edit ${name}`, path: `${path}/edit` }] : [],
  });
  return [
    ...locations.map(({ id, name }) => edited(name, "Location", `/locations/${id}`)),
    ...channels.map(({ id, name }) => edited(name, "Channel", `/channels/${id}`)),
    ...pages.map(({ id, definition: { title } }) => ({
      ...named(title, "Status page", `/status-pages/${id}`),
      acts: may(reader, "responder")
        ? [{ words: `Report on ${title}`, path: `/status-pages/${id}/reports/new` }]
        : [],
    })),
    ...reported.map(({ id, title }) => named(title, "Report", `/reports/${id}`)),
    ...work.maintenances.map(({ id, title }) => named(title, "Maintenance", `/maintenances/${id}`)),
    ...owned,
  ];
}

/** People and keys, whose pages only owners may see. */
async function ofOwners({ people, keys }: PageContext["rooms"]): Promise<readonly NamedThing[]> {
  const [persons, made] = await Promise.all([people.list(), keys.list()]);
  return [
    ...persons.map(({ id, name, email }) =>
      named(name === "" ? email : name, "Person", `/settings/people/${id}`),
    ),
    ...made.map(({ name }) => named(name, "API key", "/settings/keys")),
  ];
}

const named = (words: string, note: string, path: string): NamedThing => ({
  words,
  note,
  path,
  acts: [],
});
