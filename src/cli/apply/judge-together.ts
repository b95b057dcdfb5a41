import { type Path, shownPath } from "#check/argument";
import { othersElseItself, ringsIn, ringWords } from "#check/dependency-rings";
import type { ConfigurationFile } from "#cli/apply/configuration-file";
import { isId } from "#cli/apply/monitor-name";
import { nearest } from "#base/nearest";

/** What no file shows alone: a name that is repeated, and a reference to one that is not there. */
export function judgeTogether(files: readonly ConfigurationFile[]): void {
  judgeNames(files);
  judgeOwners(files);
  judgeReferences(files);
  judgeDependencies(files);
  judgeAnnounced(files);
}

function judgeNames(files: readonly ConfigurationFile[]): void {
  const named = new Map<string, string>();
  for (const file of files) {
    const take = (of: string, name: string, path: Path, key = "name", what = "name"): void => {
      if (name === "") return;
      const first = named.get(`${of} ${name}`);
      if (first !== undefined)
        file.reading?.report([...path, key], `is already the ${what} of ${first}`);
      else {
        const place = shownPath(path);
        named.set(`${of} ${name}`, files.length === 1 ? place : `${place} in ${file.name}`);
      }
    };
    for (const { path, definition } of file.monitors) take(definition.kind, definition.name, path);
    file.locations.forEach(({ name }, index) =>
      take("location", name, ["private_locations", index]),
    );
    for (const { path, name } of file.channels) take("channel", name, path);
    for (const { path, definition } of file.pages) {
      take("page", definition.slug, path, "slug", "slug");
      take("domain", definition.customDomain, path, "custom_domain", "domain");
    }
    for (const { path, title } of file.maintenances)
      take("maintenance", title, path, "title", "title");
  }
}

/** Files that are applied together belong to one. */
function judgeOwners(files: readonly ConfigurationFile[]): void {
  const [first, ...others] = files.filter(({ owner }) => owner !== "");
  for (const { owner, reading } of others)
    if (owner !== first?.owner)
      reading?.report(["owner"], `is not "${first?.owner ?? ""}", as ${first?.name ?? ""} says`);
}

/** A name that stands in a list of names has to be that of an entry; `id:7` is an object of the service. */
function judgeReferences(files: readonly ConfigurationFile[]): void {
  const all = files.flatMap((file) => file.monitors.map(({ definition }) => definition));
  const monitors = new Set(all.map(({ name }) => name));
  const channels = new Set(files.flatMap((file) => file.channels.map(({ name }) => name)));
  for (const { reading, locations, channels: own, pages, monitors: watched } of files) {
    const look = (what: string, path: Path, name: string, known: ReadonlySet<string>): void => {
      if (!known.has(name))
        reading?.report(path, `is not the name of a ${what}${hintOf(name, known)}`);
    };
    const lookAtMonitors = (path: Path, names: readonly string[]): void =>
      names.forEach((name, entry) => {
        if (!isId(name)) look("monitor of these files", [...path, entry], name, monitors);
      });
    locations.forEach((location, index) =>
      lookAtMonitors(["private_locations", index, "monitors"], location.monitors),
    );
    for (const { path, choice } of own)
      if (choice.is === "named") lookAtMonitors([...path, "monitors"], choice.names);
    for (const { path, notifications } of watched)
      notifications.forEach((name, entry) =>
        look(
          "notification channel of these files",
          [...path, "notifications", entry],
          name,
          channels,
        ),
      );
    for (const { path, components } of pages)
      components.forEach(({ monitor }, index) => {
        const at = [...path, "components", index, "monitor"];
        if (monitor === "" || isId(monitor)) return;
        look("monitor of these files", at, monitor, monitors);
        const kinds = all.filter(({ name }) => name === monitor).map(({ kind }) => kind);
        if (kinds.length > 1) reading?.report(at, isNameOfSeveral(kinds));
      });
  }
}

/** Monitors that wait for each other; a ring over one of the service is seen when the files are planned. */
function judgeDependencies(files: readonly ConfigurationFile[]): void {
  const all = files.flatMap(({ reading, monitors }) =>
    monitors.map((monitor) => ({ reading, monitor, name: monitor.definition.name })),
  );
  const named = Map.groupBy(all, ({ name }) => name);
  const rings = ringsIn(all, (one) =>
    one.monitor.dependsOn.flatMap((on) => othersElseItself(one, named.get(on) ?? [])),
  );
  for (const ring of rings) {
    const [first, next = first] = ring;
    if (first === undefined) continue;
    const { path, dependsOn } = first.monitor;
    const at = [...path, "depends_on", dependsOn.indexOf(next?.name ?? "")];
    const names = ring.map(({ name }) => name);
    first.reading?.report(at, `makes ${ringWords(names)}`);
  }
}

const isNameOfSeveral = (kinds: readonly string[]): string =>
  `is the name of ${kinds.length} monitors (${kinds.join(", ")}), and a component shows one: rename the others`;

function hintOf(name: string, known: ReadonlySet<string>): string {
  const meant = nearest(name, known);
  return meant === null ? "" : `; did you mean ${meant}?`;
}

/** What stands on a page of the files is known; another page has to be one of the service. */
function judgeAnnounced(files: readonly ConfigurationFile[]): void {
  const componentsOf = new Map(
    files.flatMap((file) =>
      file.pages.map(({ definition, components }) => [
        definition.slug,
        new Set(components.map(({ name }) => name)),
      ]),
    ),
  );
  for (const { reading, maintenances } of files)
    for (const { path, announced } of maintenances) {
      const known = announced === null ? undefined : componentsOf.get(announced.page);
      if (announced === null || known === undefined) continue;
      const { page, components } = announced;
      components.forEach((name, index) => {
        if (!known.has(name))
          reading?.report(
            [...path, "components", page, index],
            `is not the name of a component of ${page}${hintOf(name, known)}`,
          );
      });
    }
}
