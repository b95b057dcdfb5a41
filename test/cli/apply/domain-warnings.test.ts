import { describe, expect, test } from "vitest";
import { domainWarnings, type NamedPage } from "#cli/apply/domain-warnings";
import type { LookUp } from "#service/status-site/domain-look-up";
import { domainLookUpTimeout, domainsLookedUpMax } from "#limits/cli-limits";
import { FakeClock } from "../../support/fake-clock.ts";

const pageAt = (customDomain: string): NamedPage => ({
  definition: { slug: "acme", customDomain },
});

const notFound = Object.assign(new Error("getaddrinfo ENOTFOUND"), { code: "ENOTFOUND" });
const dns: LookUp = (host) => {
  const known: Readonly<Record<string, readonly string[]>> = {
    "picket.acme.com": ["192.0.2.1", "2001:db8::1"],
    "status.acme.com": ["2001:db8::1"],
    "old.acme.com": ["192.0.2.9"],
    "127.0.0.1": ["127.0.0.1"],
  };
  const found = known[host];
  return found === undefined ? Promise.reject(notFound) : Promise.resolve(found);
};

const warned = (domain: string, lookUp = dns, url = "https://picket.acme.com/rpc") =>
  domainWarnings([pageAt(domain)], url, { clock: new FakeClock(), lookUp });

describe("a status page's own domain", () => {
  test("that leads to the service is not a warning", async () => {
    expect(await warned("status.acme.com")).toEqual([]);
  });

  test("without an address, and one that leads elsewhere, are said", async () => {
    expect(await warned("new.acme.com")).toEqual([
      'status page "acme" cannot be reached at new.acme.com yet: DNS has no address for the name. Point it to the service.',
    ]);
    expect(await warned("old.acme.com")).toEqual([
      'old.acme.com of status page "acme" points to 192.0.2.9, and the service is at 192.0.2.1, 2001:db8::1. That is right only if a proxy at 192.0.2.9 leads to the service.',
    ]);
  });

  test("is not compared with a service that is asked on this machine", async () => {
    expect(await warned("old.acme.com", dns, "http://127.0.0.1:8787")).toEqual([]);
    expect(await warned("new.acme.com", dns, "http://127.0.0.1:8787")).toHaveLength(1);
  });

  test("that cannot be looked up, or not in time, is not a warning and no fault", async () => {
    const fails: LookUp = () => Promise.reject(Object.assign(new Error(), { code: "EAI_AGAIN" }));
    expect(await warned("status.acme.com", fails)).toEqual([]);
    const clock = new FakeClock();
    const silent: LookUp = () => new Promise(() => {});
    const warnings = domainWarnings([pageAt("status.acme.com")], "https://picket.acme.com", {
      clock,
      lookUp: silent,
    });
    await clock.advance(domainLookUpTimeout);
    expect(await warnings).toEqual([]);
  });

  test("is looked up for so many pages at most, and never if the name is kept for tests", async () => {
    const asked: string[] = [];
    const counting: LookUp = (host) => {
      asked.push(host);
      return Promise.resolve(["192.0.2.1"]);
    };
    for (const name of ["status.acme.test", "status.acme.example", "a.invalid", "a.localhost"])
      expect(await warned(name, counting)).toEqual([]);
    expect(asked).toEqual([]);
    const pages = Array.from({ length: domainsLookedUpMax + 5 }, (_, n) =>
      pageAt(`s${n}.acme.com`),
    );
    const tools = { clock: new FakeClock(), lookUp: counting };
    await domainWarnings(pages, "https://picket.acme.com", tools);
    expect(asked).toHaveLength(1 + domainsLookedUpMax);
  });
});
