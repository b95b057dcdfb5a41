import type { MessageInitShape } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import {
  Placement,
  type VantageConditionSchema,
} from "#contract/private_location/v1/private_location_pb";
import { alertedOffice, gatewayGone } from "./alerted-office.ts";

type Condition = MessageInitShape<typeof VantageConditionSchema>;

/** What an agent says of itself. */
interface AgentReport {
  readonly conditions: readonly Condition[];
  readonly monitorCount: number;
  /** By default it runs every monitor of its location. */
  readonly shares?: boolean;
}

const gateway = (affected: number): readonly Condition[] => [
  { cause: { ...gatewayGone, affected: BigInt(affected) } },
];

const rule = "this machine's own firewall refuses 10.9.0.1:443";
const firewall: readonly Condition[] = [
  { cause: { ...gatewayGone, scope: "machine", subject: rule, sentence: rule, affected: 1n } },
];

interface Night {
  readonly what: string;
  /** The office has three monitors, the lab the first few of them. */
  readonly office: readonly AgentReport[];
  readonly lab?: { readonly monitors: number; readonly said: AgentReport };
  readonly urgency: string;
  readonly words: string;
}

const alone = { monitorCount: 3, conditions: [] };
const half = { monitorCount: 2, conditions: [], shares: true };
const nights: readonly Night[] = [
  {
    what: "a rule of the own firewall, at the only location",
    office: [{ ...alone, conditions: firewall }],
    urgency: "critical",
    words:
      "So far 1 of 3 monitors is not measured there. No other location measures it, so its state is unknown.",
  },
  {
    what: "the same, and another location has two of the three",
    office: [{ ...alone, conditions: firewall }],
    lab: { monitors: 2, said: { ...alone, monitorCount: 2 } },
    urgency: "error",
    words:
      "So far 1 of 3 monitors is not measured there. Other locations without such a fault measure 2 of the location's 3 monitors.",
  },
  {
    what: "a dead gateway, and a rule for one target at another location with all",
    office: [{ ...alone, conditions: gateway(3) }],
    lab: { monitors: 3, said: { ...alone, conditions: firewall } },
    urgency: "error",
    words:
      "So far 3 of 3 monitors are not measured there. Other locations without such a fault measure 0 of the location's 3 monitors.",
  },
  {
    what: "a dead gateway, and another that hides some at another location so far",
    office: [{ ...alone, conditions: gateway(3) }],
    lab: { monitors: 3, said: { ...alone, conditions: gateway(2) } },
    urgency: "error",
    words: "Other locations without such a fault measure 0 of the location's 3 monitors.",
  },
  {
    what: "a dead gateway at both locations",
    office: [{ ...alone, conditions: gateway(3) }],
    lab: { monitors: 3, said: { ...alone, conditions: gateway(3) } },
    urgency: "critical",
    words: "No other location measures them, so their state is unknown.",
  },
  {
    what: "a dead gateway, and another location has two of the three",
    office: [{ ...alone, conditions: gateway(3) }],
    lab: { monitors: 2, said: { ...alone, monitorCount: 2 } },
    urgency: "critical",
    words: "For at least 1 of them no other location sees the target, so their state is unknown.",
  },
  {
    what: "a dead gateway that hides one so far, and another location has all",
    office: [{ ...alone, conditions: gateway(1) }],
    lab: { monitors: 3, said: alone },
    urgency: "error",
    words: "Other locations measure all of the location's monitors.",
  },
  {
    what: "a dead gateway of one of two agents that share",
    office: [half, { ...half, conditions: gateway(1) }],
    urgency: "warning",
    words: "Another agent of the location measures it instead.",
  },
  {
    what: "a dead gateway of both agents that share",
    office: [
      { ...half, conditions: gateway(2) },
      { ...half, monitorCount: 1, conditions: gateway(1) },
    ],
    urgency: "critical",
    words:
      "So far 3 of 3 monitors are not measured there. No other location measures them, so their state is unknown.",
  },
  {
    what: "a dead gateway of two of three agents that share",
    office: [
      { ...half, monitorCount: 1, conditions: gateway(1) },
      { ...half, monitorCount: 1, conditions: gateway(1) },
      { ...half, monitorCount: 1 },
    ],
    urgency: "warning",
    words:
      "So far 2 of 3 monitors are not measured there. Another agent of the location measures them instead.",
  },
  {
    what: "a dead gateway of both agents that run everything, of which one has seen more",
    office: [
      { ...alone, conditions: gateway(1) },
      { ...alone, conditions: gateway(2) },
    ],
    urgency: "critical",
    words: "So far 2 of 3 monitors are not measured there.",
  },
  {
    what: "a rule of the own firewall of one of two agents that share: nothing moves",
    office: [half, { ...half, conditions: firewall }],
    urgency: "critical",
    words: "No other location measures it, so its state is unknown.",
  },
  {
    what: "a rule of the own firewall of one of two agents that run everything",
    office: [alone, { ...alone, conditions: firewall }],
    urgency: "warning",
    words: "Another agent of the location measures it instead.",
  },
  {
    what: "the same rule at both of them",
    office: [
      { ...alone, conditions: firewall },
      { ...alone, conditions: firewall },
    ],
    urgency: "critical",
    words: "No other location measures it, so its state is unknown.",
  },
];

test.each(nights)("$what is $urgency", async ({ office: said, lab, urgency, words }) => {
  const office = await alertedOffice(3);
  const { service, clock, monitors, mailbox } = office;
  await office.channel("ops");
  office.agent.isAlive = false;
  await office.report("success");
  const beat = (token: string, instanceId: string, { shares = false, ...one }: AgentReport) =>
    service.agent(token).heartbeat({
      instanceId,
      monitorCount: BigInt(one.monitorCount),
      conditions: [...one.conditions],
      placement: shares ? Placement.SHARE : Placement.UNSPECIFIED,
      sentAt: BigInt(clock.wall()),
    });
  if (lab !== undefined) {
    const monitorIds = monitors.slice(0, lab.monitors);
    const made = await service.admin.createPrivateLocation({
      name: "lab",
      monitorIds,
      metadata: {},
    });
    await beat(made.token, "elsewhere", lab.said);
  }
  for (const [index, one] of said.entries()) await beat(office.token, `agent-${index}`, one);
  const heard = () =>
    mailbox
      .notices("ops")
      .find((one) => one.type === "location.trouble" && one.location.name === "office");
  await office.until(() => heard() !== undefined, 45);
  expect(heard()).toMatchObject({ urgency, message: expect.stringContaining(words) });
});
