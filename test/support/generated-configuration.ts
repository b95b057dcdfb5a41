/** Numbers that look random and are the same each time (mulberry32). */
export function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Files of a configuration with some objects of each kind, in JSON, which is YAML. */
export function generatedConfiguration(seed: number): Readonly<Record<string, string>> {
  const pick = numbers(seed);
  const one = <T>(...all: readonly [T, ...T[]]): T => all[pick(all.length)] ?? all[0];
  const names = Array.from(
    { length: 2 + pick(5) },
    (_, index) => `m${index} ${one("ä", "'", '"', "#")}`,
  );
  const locations = Array.from({ length: pick(3) }, (_, index) => ({
    name: `l${index}`,
    ...(pick(2) === 0 ? {} : { metadata: { site: one("a", "b: c"), env: "prod" } }),
    monitors: names.filter(() => pick(2) === 0),
  }));
  const common = () => ({
    periodicity: one("30s", "1m", "1h"),
    ...(pick(2) === 0 ? {} : { active: one(true, false) }),
    ...(pick(2) === 0 ? {} : { timeout: one(0, 1, 45_000, 120_000) }),
    ...(pick(2) === 0 ? {} : { retry: one(0, 3, 10) }),
    ...(pick(2) === 0 ? {} : { degraded_at: one(1, 500) }),
    ...(pick(2) === 0 ? {} : { description: one("", "Runbook: https://w.test/#a", "- a\n- b") }),
    ...(pick(3) > 0
      ? {}
      : { otlp_endpoint: "http://o.test/", otlp_headers: { "x-key": "planted" } }),
  });
  const lists: Record<string, { readonly name: string }[]> = {
    http_monitors: [],
    tcp_monitors: [],
    dns_monitors: [],
  };
  for (const name of names) {
    const kind = one("http", "tcp", "dns");
    const own = {
      http: {
        url: one("https://a.test/", "http://[::1]:8080/x?planted=1", "https://me:planted@b.test/"),
        ...(pick(2) === 0 ? {} : { method: "POST", body: "planted body" }),
        ...(pick(2) === 0 ? {} : { follow_redirects: one(true, false) }),
        ...(pick(2) === 0
          ? {}
          : {
              headers: [
                { key: "X-A", value: "planted" },
                { key: "Accept", value: "planted" },
              ],
            }),
        ...(pick(2) === 0
          ? {}
          : { status_code_assertions: [{ comparator: one("lt", "gte"), target: 300 }] }),
        ...(pick(2) === 0 ? {} : { body_assertions: [{ comparator: "not_empty", target: "" }] }),
        ...(pick(2) === 0
          ? {}
          : { header_assertions: [{ key: "A", comparator: "contains", target: "1" }] }),
      },
      tcp: { uri: one("a.test:1", "[fd00::1]:5432") },
      dns: {
        uri: one("a.test", "dns:a.test?type=MX&server=10.0.0.53"),
        ...(pick(2) === 0
          ? {}
          : { record_assertions: [{ record: "A", comparator: "neq", target: "10.0.0.1" }] }),
      },
    }[kind];
    lists[`${kind}_monitors`]?.push({ name, ...own, ...common() });
  }
  // Only on monitors after it: a ring is refused.
  for (const monitor of Object.values(lists).flat()) {
    const others = names.slice(names.indexOf(monitor.name) + 1);
    if (others.length > 0 && pick(3) === 0)
      Object.assign(monitor, { depends_on: [others[pick(others.length)]] });
  }
  const notifications = Array.from({ length: pick(3) }, (_, index) => ({
    name: `n${index}`,
    ...one<object>(
      { provider_type: "slack", slack: { webhook_url: "https://hooks.test/x" } },
      { provider_type: "incident_b", incident_b: { api_key: "plantedplanted", region: "eu" } },
      {
        provider_type: "webhook",
        webhook: { endpoint: "https://hooks.test/x", headers: [{ key: "X-A", value: "planted" }] },
      },
      { provider_type: "ntfy", ntfy: { topic: "shop" } },
    ),
    ...one<object>({}, { monitors: "all" }, { monitors: [names[0]] }, { monitors: [] }),
    ...(pick(2) === 0 ? {} : { events: ["error"], delay: "90s", reminder: "4h" }),
    ...(pick(2) === 0
      ? {}
      : {
          quiet_hours: [{ days: ["sun", "mon"], from: "22:00", to: "07:00" }],
          time_zone: "Europe/Berlin",
        }),
    ...(pick(2) === 0 ? {} : { labels: { team: "a" }, locations: locations.map((l) => l.name) }),
  }));
  const pages = Array.from({ length: pick(3) }, (_, index) => generatedPage(index, names, pick));
  const maintenances = Array.from({ length: pick(2) }, (_, index) => ({
    title: `w${index}`,
    message: "Back soon",
    from: "2026-12-01T22:00",
    to: "2026-12-01T23:30",
    ...one<object>({}, { time_zone: "Europe/Berlin", recurrence: "FREQ=WEEKLY;BYDAY=SU" }),
    monitors: [names[pick(names.length)]],
    ...(pages[0] === undefined ? {} : { components: announcedOn(pages[0], pick) }),
  }));
  const everything = {
    ...lists,
    private_locations: locations,
    notifications,
    status_pages: pages,
    maintenances,
  };
  return Object.fromEntries(
    Object.entries(everything)
      .filter(([, all]) => all.length > 0)
      .map(([list, all]) => [`${list}.yaml`, JSON.stringify({ [list]: all })]),
  );
}

type Pick = (below: number) => number;

/** A page with groups, and with components of monitors and of nothing. */
function generatedPage(index: number, monitors: readonly string[], pick: Pick) {
  const one = <T>(...all: readonly [T, ...T[]]): T => all[pick(all.length)] ?? all[0];
  const groups = Array.from({ length: pick(3) }, (_, place) => ({
    name: `g${place}`,
    ...(pick(2) === 0 ? {} : { default_open: one(true, false) }),
  }));
  const grouped = () =>
    groups[0] === undefined || pick(2) === 0
      ? {}
      : {
          group: groups[pick(groups.length)]?.name,
          ...(pick(2) === 0 ? {} : { group_order: pick(9) }),
        };
  const components = [...monitors.filter(() => pick(2) === 0), "Support desk", "Über uns"].map(
    (name) => ({
      ...(monitors.includes(name) ? { monitor: name } : { type: "static" }),
      name: one(name, `${name} for you`),
      ...(pick(2) === 0 ? {} : { description: "What it is" }),
      ...(pick(3) === 0 ? { order: pick(9) } : {}),
      ...grouped(),
    }),
  );
  return {
    slug: `page-${index}`,
    title: one("Acme", "Ä & B"),
    ...one<object>(
      { access_type: "public" },
      { access_type: "password", password: "planted" },
      { access_type: "email-domain", auth_email_domains: ["b.test", "a.test"] },
      { access_type: "ip-restriction", allowed_ip_ranges: "10.0.0.0/8, 192.0.2.7" },
    ),
    ...(pick(2) === 0 ? {} : { locales: ["de", "en"], default_locale: one("en", "de") }),
    ...(pick(2) === 0
      ? {}
      : { custom_domain: `status${index}.acme.test`, contact_url: "mailto:help@acme.test" }),
    ...(pick(2) === 0
      ? {}
      : { theme: one("dark", "light"), custom_theme: { light: { "--primary": "#0b6bcb" } } }),
    ...(pick(2) === 0
      ? {}
      : { allow_index: false, published: one(true, false), configuration: { days: one(30, 90) } }),
    ...(groups.length === 0 ? {} : { groups }),
    components,
  };
}

const announcedOn = (
  { slug, components }: ReturnType<typeof generatedPage>,
  pick: Pick,
): object => ({
  [slug]: components.flatMap(({ name }) => (pick(2) === 0 ? [name] : [])),
});

/** The variables that an export refers to: what is a secret is the same text everywhere, but for URLs. */
export function variablesOf(
  exported: string,
  files: Readonly<Record<string, string>>,
): Record<string, string> {
  const all = Object.values(files).flatMap((text) => Object.values(JSON.parse(text)).flat());
  const urls = new Map(
    all.flatMap((one) =>
      typeof one === "object" && one !== null && "url" in one && "name" in one
        ? [
            [
              `${String(one.name)} url`.toUpperCase().replaceAll(/[^A-Z0-9]+/g, "_"),
              String(one.url),
            ],
          ]
        : [],
    ),
  );
  return Object.fromEntries(
    [...exported.matchAll(/env: (\S+)/g)].map(([, name = ""]) => [
      name,
      urls.get(name) ?? secretOf(name),
    ]),
  );
}

function secretOf(name: string): string {
  if (name.endsWith("_BODY")) return "planted body";
  if (name.endsWith("_API_KEY")) return "plantedplanted";
  return /_(WEBHOOK_URL|ENDPOINT)$/.test(name) ? "https://hooks.test/x" : "planted";
}
