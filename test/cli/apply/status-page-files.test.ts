import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { connectManagement } from "#cli/management/management";
import { directWay } from "#cli/management/service-way";
import { main } from "../../../src/main.ts";
import { captureIo } from "../../support/captured-io.ts";
import { readTexts } from "../../support/configuration-text.ts";
import { runningService, temporaryFolder } from "../../support/running-service.ts";

/** One service for all: each test has names and an owner that no other has. */
let service: Awaited<ReturnType<typeof runningService>>;
let key = "";
const folder = mkdtempSync(path.join(tmpdir(), "picket-test-"));

beforeAll(async () => {
  service = await runningService({ database: path.join(folder, "service.sqlite") });
});
/** A key of each test's own: none waits for the pace of another. */
beforeEach(async () => {
  ({ key } = await service.admin.createApiKey({ name: "ada", scope: "write" }));
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

async function run(
  args: readonly string[],
  typed = "",
  env: Readonly<Record<string, string>> = {},
) {
  const io = captureIo({ SERVICE_API_URL: service.url, SERVICE_API_KEY: key, ...env });
  io.typing.end(typed);
  const code = await main(args, io);
  return { code, out: io.written.stdout(), said: io.written.stderr() };
}

function fileWith(content: object): string {
  const file = path.join(temporaryFolder(), "a.yaml");
  writeFileSync(file, JSON.stringify(content));
  return file;
}

const calls = () => connectManagement(service.url, key, directWay()).statusPages;

async function contentOf(slug: string) {
  const { statusPages } = await calls().listStatusPages({});
  const value = statusPages.find((one) => one.slug === slug)?.id ?? "";
  return calls().getStatusPageContent({ identifier: { case: "id", value } });
}

const monitor = (name: string): object => ({
  name,
  url: `https://${name}.test/`,
  periodicity: "30s",
  active: true,
});

/** What the service has of a page's names and ids. */
const idsIn = (all: readonly { readonly name: string; readonly id: string }[]) =>
  Object.fromEntries(all.map(({ name, id }) => [name, id]));

describe("status pages in files", () => {
  test("a theme by its key is planned, applied and exported; another key is a mistake, and faint colours a warning", async () => {
    const file = (configuration: object, custom_theme: object = {}) =>
      fileWith({
        owner: "themes",
        status_pages: [{ slug: "themed", title: "T", configuration, custom_theme, ...zone }],
      });
    const zone = { time_zone: "Europe/Berlin" };
    const themed = { theme_key: "ocean", days: 30 };
    expect(await run(["apply", "-f", file(themed)])).toMatchObject({ code: 0, said: "" });
    expect(await run(["plan", "-f", file(themed)])).toMatchObject({ code: 0, said: "" });
    const { out } = await run(["export", "page", "themed"]);
    for (const said of ["theme_key: ocean", "time_zone: Europe/Berlin"])
      expect(out).toContain(said);
    expect((await contentOf("themed")).statusPage?.configuration?.themeKey).toBe("ocean");
    const other = await run(["plan", "-f", file({ ...themed, theme_key: "sand" })]);
    expect([other.code, other.out]).toEqual([2, expect.stringContaining("theme_key")]);
    const wrong = await run(["plan", "-f", file({ theme_key: "neon" })]);
    expect([wrong.code, wrong.said]).toEqual([
      1,
      expect.stringContaining("theme_key: must be one of default, default-rounded, contrast"),
    ]);
    const named = (theme: string, more: object = {}) =>
      fileWith({
        owner: "themes",
        status_pages: [{ slug: "themed", title: "T", theme, ...zone, ...more }],
      });
    // The specification has the key in `theme`.
    expect((await run(["plan", "-f", named("ocean", { configuration: { days: 30 } })])).code).toBe(
      0,
    );
    expect((await run(["plan", "-f", named("sand")])).out).toContain("theme_key");
    const both = await run([
      "plan",
      "-f",
      named("sand", { configuration: { theme_key: "ocean" } }),
    ]);
    expect([both.code, both.said]).toEqual([
      1,
      expect.stringContaining("theme: is sand, and configuration.theme_key is ocean"),
    ]);
    expect((await run(["plan", "-f", named("neon")])).said).toContain(
      "theme: must be one of system",
    );
    const faint = { light: { "--foreground": "#bbbbbb" } };
    const said = 'warning: status page "themed" is hard to read: in light, --foreground on';
    const plan = await run(["plan", "-f", file(themed, faint)]);
    expect([plan.code, plan.said]).toEqual([2, expect.stringContaining(said)]);
    // It is taken all the same.
    const applied = await run(["apply", "-f", file(themed, faint)]);
    expect([applied.code, applied.said]).toEqual([0, expect.stringContaining(said)]);
  });

  test("a page is made with its groups and components, and its password is nowhere to be read", async () => {
    const file = fileWith({
      owner: "a",
      http_monitors: [monitor("a1")],
      status_pages: [
        {
          slug: "page-a",
          title: "A",
          access_type: "password",
          password: { env: "WORD" },
          groups: [{ name: "Web", default_open: true }],
          components: [{ monitor: "a1", group: "Web" }, { name: "Desk" }],
        },
      ],
      maintenances: [
        {
          title: "a work",
          message: "Soon",
          from: "2036-12-01T22:00Z",
          to: "2036-12-01T23:00Z",
          components: { "page-a": ["Desk"] },
        },
      ],
    });
    const secret = { WORD: "planted-word" };
    const planned = await run(["plan", "-f", file], "", secret);
    expect(planned).toMatchObject({ code: 2, said: "" });
    expect(planned.out).toContain(
      '+ status page "page-a"\n+ status page component group "page-a/Web"\n' +
        '+ status page component "page-a/a1"\n+ status page component "page-a/Desk"\n' +
        '+ maintenance "a work": page – → page-a, components + Desk\n',
    );
    expect(await run(["apply", "-f", file], "", secret)).toMatchObject({ code: 0 });
    expect(await run(["plan", "-f", file], "", secret)).toMatchObject({ code: 0 });
    const other = await run(["plan", "-f", file], "", { WORD: "planted-other" });
    expect(other.out).toContain('~ status page "page-a": password changed\n');
    const { components, groups, maintenances } = await contentOf("page-a");
    expect(components.map(({ name, order, groupId }) => [name, order, groupId])).toEqual([
      ["a1", 0, groups[0]?.id],
      ["Desk", 1, ""],
    ]);
    expect(maintenances.map(({ pageComponentIds }) => pageComponentIds)).toEqual([
      [idsIn(components)["Desk"]],
    ]);
    const exported = await run(["export", "page", "page-a"]);
    expect(exported.out).toContain("env: PAGE_A_PASSWORD");
    expect(exported.out).toMatch(/^ +# id \d+, of a$/m);
    const { key: reading } = await service.admin.createApiKey({ name: "bob", scope: "read" });
    const read = await run(["export", "page", "page-a"], "", { SERVICE_API_KEY: reading });
    expect(read).toMatchObject({ code: 0, said: "" });
    expect(read.out).toBe(exported.out.replace("owner: a\n", "").replace(", of a", ""));
    const monitors = await run(["export", "http"], "", { SERVICE_API_KEY: reading });
    expect(monitors.out).toMatch(/^# The key may only read, so this is not all: /);
    expect([planned, other, exported].map(({ out, said }) => out + said).join("")).not.toContain(
      "planted",
    );
  });

  test("another slug or name keeps page, group and component with their ids", async () => {
    const of = (page: object) => fileWith({ owner: "b", status_pages: [page] });
    const parts = { groups: [{ name: "G" }], components: [{ name: "C", group: "G" }] };
    await run(["apply", "-f", of({ slug: "page-b", title: "B", ...parts })]);
    const before = await contentOf("page-b");
    const renamed = of({
      slug: "page-bb",
      renamed_from: "page-b",
      title: "B",
      groups: [{ name: "GG", renamed_from: "G" }],
      components: [{ name: "CC", renamed_from: "C", group: "GG" }],
    });
    expect((await run(["plan", "-f", renamed])).out).toContain(
      '~ status page "page-bb": slug page-b → page-bb (was "page-b")\n' +
        '~ status page component group "page-bb/GG": name G → GG (was "G")\n' +
        '~ status page component "page-bb/CC": name C → CC, group G → GG (was "C")\n',
    );
    expect(await run(["apply", "-f", renamed])).toMatchObject({ code: 0 });
    const after = await contentOf("page-bb");
    expect([after.statusPage?.id, idsIn(after.groups), idsIn(after.components)]).toEqual([
      before.statusPage?.id,
      { GG: idsIn(before.groups)["G"] },
      { CC: idsIn(before.components)["C"] },
    ]);
    expect(await run(["plan", "-f", renamed])).toMatchObject({ code: 0 });
  });

  test("a component of another monitor replaces the one before; one that is left out goes; both are asked about", async () => {
    const of = (...components: readonly object[]) =>
      fileWith({
        owner: "c",
        http_monitors: [monitor("c1"), monitor("c2")],
        status_pages: [{ slug: "page-c", title: "C", components }],
        maintenances: [
          {
            title: "c work",
            message: "Soon",
            from: "2036-12-01T22:00Z",
            to: "2036-12-01T23:00Z",
            components: { "page-c": ["Shop"] },
          },
        ],
      });
    await run(["apply", "-f", of({ name: "Shop", monitor: "c1" }, { name: "Old" })]);
    const before = idsIn((await contentOf("page-c")).components);
    const file = of({ name: "Shop", monitor: "c2" });
    expect((await run(["plan", "-f", file])).out).toContain(
      '-/+ status page component "page-c/Shop": monitor http "c1" → http "c2" (it shows something else)\n' +
        '- status page component "page-c/Old"\n' +
        '~ maintenance "c work": components + Shop − Shop\n',
    );
    const refused = await run(["apply", "-f", file], "no\n");
    expect(refused.code).toBe(1);
    expect(idsIn((await contentOf("page-c")).components)).toEqual(before);
    expect(await run(["apply", "-f", file], "yes\n")).toMatchObject({ code: 0 });
    const { components, maintenances } = await contentOf("page-c");
    expect(components.map(({ name }) => name)).toEqual(["Shop"]);
    expect(components[0]?.id).not.toBe(before["Shop"]);
    expect(maintenances[0]?.pageComponentIds).toEqual([components[0]?.id]);
    expect(await run(["plan", "-f", file])).toMatchObject({ code: 0 });
  });

  test("what was done to a page by hand is shown with its key where it shows", async () => {
    const file = fileWith({
      owner: "d",
      status_pages: [{ slug: "page-d", title: "D", components: [{ name: "One" }] }],
    });
    await run(["apply", "-f", file]);
    const [one] = (await contentOf("page-d")).components;
    await calls().updateComponent({ id: one?.id ?? "", description: "by hand" });
    const { out, code } = await run(["plan", "-f", file]);
    expect(code).toBe(2);
    expect(out).toMatch(
      /^~ status page component "page-d\/One": description by hand → – \(by hand: key \d+ \(ada\), \d{4}-/m,
    );
    await run(["apply", "-f", file]);
    expect(await run(["plan", "-f", file, "-v"])).toMatchObject({
      code: 0,
      out: expect.not.stringContaining("by hand"),
    });
  });

  test("two pages may exchange their domains; one of a page next to the files is a conflict", async () => {
    const of = (first: string, second: string) =>
      fileWith({
        owner: "e",
        status_pages: [
          { slug: "page-e1", title: "E", custom_domain: first },
          { slug: "page-e2", title: "E", custom_domain: second },
        ],
      });
    await run(["apply", "-f", of("one.e.test", "two.e.test")]);
    expect(await run(["apply", "-f", of("two.e.test", "one.e.test")])).toMatchObject({ code: 0 });
    expect((await contentOf("page-e1")).statusPage?.customDomain).toBe("two.e.test");
    const other = fileWith({
      owner: "f",
      status_pages: [{ slug: "page-f", title: "F", custom_domain: "one.e.test" }],
    });
    const { code, said } = await run(["plan", "-f", other]);
    expect([code, said]).toEqual([
      1,
      'picket plan: The status page "page-f" has the custom domain "one.e.test", which is that of "page-e2".\nNothing was compared.\n',
    ]);
  });

  test("prune deletes a page that its owner's files no longer have", async () => {
    const page = { slug: "page-g", title: "G", components: [{ name: "One" }] };
    await run(["apply", "-f", fileWith({ owner: "g", status_pages: [page] })]);
    const empty = fileWith({ owner: "g", http_monitors: [monitor("g1")] });
    expect((await run(["plan", "-f", empty])).out).toMatch(/are in no file and stay/);
    expect((await run(["plan", "-f", empty, "--prune"])).out).toContain('- status page "page-g"\n');
    expect(await run(["apply", "-f", empty, "--prune", "--yes"])).toMatchObject({ code: 0 });
    const { statusPages } = await calls().listStatusPages({});
    expect(statusPages.map(({ slug }) => slug)).not.toContain("page-g");
  });

  test("a page that is imported belongs to the files, and id: names a monitor that is in none", async () => {
    await calls().createStatusPage({ title: "H", slug: "page-h" });
    const made = await service.monitors(key).createHTTPMonitor({
      monitor: { name: "h by hand", url: "https://h.test/", periodicity: 1 },
    });
    expect(await run(["import", "page", "page-h", "--owner", "h"])).toMatchObject({ code: 0 });
    const file = fileWith({
      owner: "h",
      status_pages: [
        {
          slug: "page-h",
          title: "H",
          components: [{ name: "By hand", monitor: `id:${made.monitor?.id ?? ""}` }],
        },
      ],
      private_locations: [{ name: "h office", monitors: [`id:${made.monitor?.id ?? ""}`] }],
    });
    expect((await run(["plan", "-f", file])).out).toContain(
      '+ private location "h office": monitors + http "h by hand"\n+ status page component "page-h/By hand"\n',
    );
    expect(await run(["apply", "-f", file])).toMatchObject({ code: 0 });
    expect((await contentOf("page-h")).components[0]?.monitorId).toBe(made.monitor?.id);
    expect(await run(["plan", "-f", file])).toMatchObject({ code: 0 });
  });
});

test("each mistake in a page is reported where it stands", () => {
  const reading = readTexts({
    "a.yaml": `http_monitors: [{ name: shop, url: https://shop.test/, periodicity: 30s }]
tcp_monitors: [{ name: both, uri: "a:1", periodicity: 30s }]
dns_monitors: [{ name: both, uri: a.test, periodicity: 30s }]
status_pages:
  - slug: Acme Shop
    title: ""
    acess_type: public
    access_type: passwort
    allowed_ip_ranges: 10.0.0.0/99
    default_locale: es
    locales: [de, eng]
    icon: http://a.test/i.png
    custom_domain: https://a.test/
    theme: darc
    custom_theme: { light: { --primry: red } }
    configuration: { days: 31, bar_type: absolut }
    groups: [{ name: Web }, { name: Web }]
    components:
      - { monitor: shp, group: Wep }
      - { type: static, monitor: shop }
      - { type: monitor, name: A }
      - { type: other, name: B, order: 1.5 }
      - { name: B }
      - { monitor: both }
      - {}
  - { slug: b, title: B, access_type: password }
  - { slug: c, title: C, access_type: email-domain }
  - { slug: c, title: C, access_type: ip-restriction }
maintenances:
  - { title: w, message: m, from: 2026-01-01T00:00Z, to: 2026-01-01T01:00Z, components: { b: [X] } }
  - { title: w, message: m, from: 2026-01-01T00:00Z, to: 2026-01-01T01:00Z, components: { a: [], b: [] } }
`,
  });
  expect(reading.ok).toBe(false);
  if (reading.ok) return;
  const said = (reading.mistakes.get("a.yaml") ?? [])
    .toSorted((a, b) => a.line - b.line || a.column - b.column)
    .map(({ line, path: at, message }) => `${line} ${at}: ${message}`);
  expect(said.join("\n")).toMatchInlineSnapshot(`
    "5 status_pages[0].slug: may have lower-case letters, digits and single hyphens inside, for example acme-shop
    6 status_pages[0].title: must be 1 to 256 characters long
    7 status_pages[0].acess_type: is not a known key; did you mean access_type?
    8 status_pages[0].access_type: must be one of public, password, email-domain, ip-restriction
    9 status_pages[0].allowed_ip_ranges: must be addresses or CIDR ranges with commas between, for example 10.0.0.0/8, 192.0.2.7
    10 status_pages[0].default_locale: must be one of en, fr, de, tr, hi, ko
    11 status_pages[0].locales[1]: must be one of en, fr, de, tr, hi, ko
    12 status_pages[0].icon: must be an https URL of at most 1024 characters, for example https://acme.example/icon.png
    13 status_pages[0].custom_domain: must be a host name without scheme, path and www., for example status.acme.example
    14 status_pages[0].theme: must be one of system, light, dark, default, default-rounded, contrast, ocean, forest, sand
    15 status_pages[0].custom_theme: has the variable "--primry", which no theme has
    16 status_pages[0].configuration.days: must be one of 30, 45, 90
    16 status_pages[0].configuration.bar_type: must be one of absolute, manual
    17 status_pages[0].groups[1].name: is already the name of groups[0]
    19 status_pages[0].components[0].monitor: is not the name of a monitor of these files; did you mean shop?
    19 status_pages[0].components[0].group: is not the name of a group of this page; did you mean Web?
    20 status_pages[0].components[1].type: must be monitor if one is named
    21 status_pages[0].components[2].monitor: is required if type is monitor
    22 status_pages[0].components[3].type: must be one of monitor, static
    22 status_pages[0].components[3].order: must be a whole number from 0 to 2147483647
    23 status_pages[0].components[4].name: is already the name of components[3]
    24 status_pages[0].components[5].monitor: is the name of 2 monitors (tcp, dns), and a component shows one: rename the others
    25 status_pages[0].components[6].name: is required, but missing, if no monitor is named
    26 status_pages[1].password: is required if access is by password
    27 status_pages[2].auth_email_domains: must name a domain if access is by e-mail
    28 status_pages[3].allowed_ip_ranges: must name a range if access is by address
    28 status_pages[3].slug: is already the slug of status_pages[2]
    30 maintenances[0].components.b[0]: is not the name of a component of b
    31 maintenances[1].title: is already the title of maintenances[0]
    31 maintenances[1].components: must be a mapping from the slug of one status page to a list of names"
  `);
});

test("a file says what subscribers are sent of planned work by itself, and leaves what it does not say", async () => {
  const work = {
    title: "w-says",
    message: "m",
    from: "2026-12-01T21:00Z",
    to: "2026-12-01T22:00Z",
  };
  const page = { slug: "says", title: "Says", components: [{ name: "Shop" }] };
  const applied = (more: object) =>
    run([
      "apply",
      "--owner",
      "says",
      "--yes",
      "-f",
      fileWith({
        status_pages: [page],
        maintenances: [{ ...work, components: { says: ["Shop"] }, ...more }],
      }),
    ]);
  const says = async () => {
    const { maintenances } = await connectManagement(
      service.url,
      key,
      directWay(),
    ).maintenances.listMaintenances({});
    const own = maintenances.find(({ title }) => title === work.title);
    return [own?.remindSubscribers, own?.sayTimes];
  };
  expect((await applied({})).code).toBe(0);
  expect(await says()).toEqual([false, false]);
  const reminded = await applied({ remind_subscribers: true });
  expect([reminded.code, reminded.out]).toEqual([0, expect.stringContaining("remind_subscribers")]);
  expect(await says()).toEqual([true, false]);
  expect((await applied({ say_times: true })).code).toBe(0);
  expect(await says()).toEqual([true, true]);
  expect((await applied({ remind_subscribers: false })).code).toBe(0);
  expect(await says()).toEqual([false, true]);
  const file = fileWith({
    maintenances: [{ ...work, title: "alone", monitors: ["x"], say_times: true }],
  });
  const alone = await run(["plan", "--owner", "says", "-f", file]);
  expect(alone.said).toContain(
    "say_times: is for subscribers of a status page, but no page shows it",
  );
});
