import type { Estate } from "#service/store/configuration-store";

/** How many objects of each kind a generation has: 500, and what stands on its pages. */
export const generationSizes: Readonly<Record<string, number>> = {
  monitors: 300,
  locations: 50,
  channels: 50,
  pages: 50,
  maintenances: 50,
};

/** A file of 500 objects. Every object says its generation, and every other one is of this generation alone. */
export function generationText(generation: number): string {
  const name = (one: string, index: number): string =>
    index % 2 === 0 ? `${one}-${index}` : `${one}-${index}-of-${generation}`;
  const each = (kind: string, make: (index: number) => object): readonly object[] =>
    Array.from({ length: generationSizes[kind] ?? 0 }, (_, index) => make(index));
  const mark = `generation ${generation}`;
  return JSON.stringify({
    http_monitors: each("monitors", (index) => ({
      name: name("m", index),
      url: `https://m${index}.test/`,
      periodicity: "30s",
      description: mark,
    })),
    private_locations: each("locations", (index) => ({
      name: name("l", index),
      metadata: { mark },
      monitors: [name("m", index)],
    })),
    notifications: each("channels", (index) => ({
      name: name("n", index),
      provider_type: "ntfy",
      ntfy: { topic: "shop" },
      labels: { mark },
      monitors: [name("m", index)],
    })),
    status_pages: each("pages", (index) => ({
      slug: name("p", index),
      title: mark,
      groups: [{ name: mark }],
      components: [{ name: mark, monitor: name("m", index), group: mark }],
    })),
    maintenances: each("maintenances", (index) => ({
      title: name("w", index),
      message: mark,
      from: "2036-12-01T22:00Z",
      to: "2036-12-01T23:00Z",
      monitors: [name("m", index)],
      components: { [name("p", index)]: [mark] },
    })),
  });
}

/** How many objects a service has of each kind, and every generation that any of them says. */
export function generationsOf({ monitors, locations, channels, pages, maintenances }: Estate): {
  readonly sizes: Readonly<Record<string, number>>;
  readonly generations: readonly string[];
} {
  const marks = [
    ...monitors.map(({ definition }) => definition.description),
    ...locations.map(({ metadata }) => metadata["mark"]),
    ...channels.map(({ rules }) => rules.labels["mark"]),
    ...pages.flatMap(({ page, components, groups }) => [
      page.definition.title,
      ...components.map(({ name }) => name),
      ...groups.map(({ name }) => name),
      `parts ${components.length} ${groups.length}`,
    ]),
    ...maintenances.map(({ message }) => message),
  ];
  return {
    sizes: {
      monitors: monitors.length,
      locations: locations.length,
      channels: channels.length,
      pages: pages.length,
      maintenances: maintenances.length,
    },
    generations: [...new Set(marks.map(String))].toSorted(),
  };
}
