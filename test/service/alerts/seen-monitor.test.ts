import { expect, test } from "vitest";
import { dnsDefaults } from "#check/definition";
import { monitorFacts } from "#service/alerts/seen-monitor";
import { monitorId } from "#service/store/ids";
import { alertedOffice } from "./alerted-office.ts";

test("a message has what a DNS monitor asks in the words of its page, and for programs as it was typed", async () => {
  const { service, store } = await alertedOffice();
  const uri = "dns:shop.example?type=TXT&server=10.0.0.53";
  const wanted = { ...dnsDefaults, name: "shop", uri, periodicity: "1m", active: true };
  const { id } = await service.admin.createMonitor(wanted, "management");
  const row = await store.state.monitors.get(monitorId(Number(id)));
  expect(row === null ? null : monitorFacts(row)).toMatchObject({
    target: uri,
    shownTarget: "shop.example TXT at 10.0.0.53:53",
  });
});
