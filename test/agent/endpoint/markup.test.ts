import { expect, test } from "vitest";
import { startInlineProber } from "#agent/prober/inline-prober";
import { assignedMonitor } from "#check/read-monitor";
import { dnsDefaults, httpDefaults, type MonitorDefinition, tcpDefaults } from "#check/definition";
import { ServiceError } from "#transport/control-plane";
import { millis } from "#base/units";
import { dnsServer, reply } from "../../servers/dns-server.ts";
import { answers, tcpPeer } from "../../servers/scripted.ts";
import { snap, watchPage } from "../../support/browser.ts";
import { fileBrowser } from "../../support/file-browser.ts";
import { endpointScene } from "../../support/endpoint-scene.ts";
import { proberOptions } from "../../support/metering.ts";

const browser = fileBrowser();
const { isThere } = browser;

/** Markup that would open a dialog, each with a word of its own so that it is found on the page. */
const attack = (word: string): string =>
  `"'><img src=x onerror=alert(1) id=${word}></p><script>alert(1)</script>&lt;`;

const common = { name: "m", periodicity: "30s", active: true, retry: 0, timeout: 2_000 };

test.skipIf(!isThere)(
  "markup in a header, a uri, an id, an assertion, a TXT record and an error is shown as it is, and becomes no element",
  async () => {
    await using target = await tcpPeer(
      answers(
        `HTTP/1.1 200 ${attack("reason")}\r\nX-Motto: ${attack("header")}\r\nContent-Length: 2\r\n\r\nok`,
      ),
    );
    await using names = await dnsServer((query) => [
      reply(query, {
        answers: [{ type: "TXT", name: "txt.test", data: attack("record") }],
      }),
    ]);
    const server = `${names.host}:${names.port}`;
    const url = `http://user:planted@127.0.0.1:${target.port}/<b>path</b>?planted`;
    const definitions: Readonly<Record<string, MonitorDefinition>> = {
      header: {
        ...httpDefaults,
        ...common,
        url,
        headerAssertions: [{ key: "x-motto", comparator: "eq", target: "calm" }],
      },
      assertion: {
        ...httpDefaults,
        ...common,
        url,
        bodyAssertions: [{ comparator: "contains", target: attack("assertion") }],
      },
      uri: { ...tcpDefaults, ...common, uri: `user:planted@${attack("uri")}:1?planted` },
      record: {
        ...dnsDefaults,
        ...common,
        uri: `dns:txt.test?type=TXT&server=${server}`,
        recordAssertions: [{ record: "TXT", comparator: "eq", target: "calm" }],
      },
      [attack("id")]: { ...tcpDefaults, ...common, uri: `127.0.0.1:${target.port}` },
    };
    await using prober = await startInlineProber({
      ...proberOptions,
      kernelClock: true,
      threads: 1,
    });
    const all = Promise.withResolvers<void>();
    const { endpoint, clock, controlPlane, history } = await endpointScene({
      monitors: Object.entries(definitions).flatMap(
        ([id, one]) => assignedMonitor(id, one).monitor ?? [],
      ),
      prepare: (twins) => {
        twins.prober.script = (to, signal) => prober.probe(to, millis(common.timeout), signal);
      },
      sinks: [
        () => {
          if (history.size === Object.keys(definitions).length) all.resolve();
        },
      ],
    });
    await clock.advance(6_000);
    await all.promise;
    controlPlane.fault = new ServiceError("unavailable", `bad gateway ${attack("service")}`);
    await clock.advance(61_000);

    await using context = await browser.newContext();
    const seen = watchPage(context, endpoint.url);
    const page = await context.newPage();
    const dangerous = page.locator("img, script, b, [onerror], [id=header]");
    await page.goto(endpoint.url);
    for (const summary of await page.locator("summary").all()) await summary.click();
    await snap(page, "markup");
    expect(await dangerous.count()).toBe(0);
    const text = await page.locator("body").innerText();
    // A header's value may be a secret of the target: it is not shown at all.
    expect(text).not.toContain("id=header");
    for (const word of ["assertion", "uri", "record", "service"])
      expect(text).toContain(`<img src=x onerror=alert(1) id=${word}>`);
    for (const id of Object.keys(definitions)) {
      await page.goto(`${endpoint.url}/monitors/${encodeURIComponent(id)}`);
      expect(await dangerous.count()).toBe(0);
      expect(await page.locator(".id code").innerText()).toBe(id);
      expect(await page.content()).not.toContain("planted");
    }
    await page.goto(`${endpoint.url}/?search=${encodeURIComponent(attack("search"))}`);
    expect(await dangerous.count()).toBe(0);
    expect(await page.getByLabel("Find a name, target or id").inputValue()).toBe(attack("search"));
    expect(seen).toEqual([]);
  },
);
