import { writeFile } from "node:fs/promises";
import { type Config, readConfig } from "#agent/settings/config";
import { exitCodes } from "#cli/edge/exit-code";
import { examine, failed, fine, type Finding, warning } from "#cli/doctor/finding";
import type { Io } from "#cli/edge/io";
import { listenFindings } from "#cli/doctor/listen-findings";
import {
  fileFindings,
  guardFindings,
  ipv6Findings,
  memoryFindings,
  nameFindings,
  stateFindings,
} from "#cli/doctor/machine-findings";
import { pathFindings } from "#cli/doctor/path-findings";
import { placeFindings } from "#cli/doctor/place-findings";
import { referenceFindings } from "#cli/doctor/reference-findings";
import { kernelFindings, probeFindings } from "#cli/doctor/probe-findings";
import { secretFindings } from "#cli/doctor/secret-findings";
import { showFindings } from "#cli/doctor/show-findings";
import { signingFindings } from "#cli/doctor/signing-findings";
import { serviceFindings } from "#cli/doctor/service-findings";
import { doctorGrammar } from "#cli/doctor/doctor-grammar";
import { readWords } from "#cli/grammar/read-words";

/** `picket doctor`: whether an agent could work here, one line for each thing that it needs. */
export async function runDoctor(args: readonly string[], io: Io): Promise<number> {
  const typed = readWords(doctorGrammar, args, io);
  if (typed === null) return exitCodes.fine;
  await yieldMemory();
  const findings = await examineAll(io.env);
  return showFindings(findings, typed.values.json, io);
}

/** It may run in the container of a busy agent: where memory is short, the kernel ends the doctor and not the agent. */
const yieldMemory = (): Promise<void> =>
  writeFile("/proc/self/oom_score_adj", "1000").catch(() => {});

async function examineAll(env: Io["env"]): Promise<readonly Finding[]> {
  const reading = readConfig(env);
  const configured = [
    ...(reading.ok ? [fine("configuration", "can be used")] : []),
    ...reading.warnings.map((one) => warning("configuration", one, "see picket config")),
    ...(reading.ok ? [] : reading.errors).map((one) => failed("configuration", one, mendFirst)),
  ];
  const machine = [examine("memory", memoryFindings), examine("IPv6", ipv6Findings)];
  const found = await Promise.all([...(reading.ok ? ofConfig(reading.config) : []), ...machine]);
  // Alone, or the others' work would be taken for the machine's.
  const probes = reading.ok ? await examine("probes", () => probeFindings(reading.config)) : [];
  return [...configured, ...found.flat(), ...probes];
}

/** What depends on the configuration cannot be looked at while it is wrong. */
const mendFirst =
  "correct it in the agent's environment and run picket doctor again, which then looks at the rest";

const ofConfig = (config: Config): readonly Promise<readonly Finding[]>[] => [
  examine("state directory", () => stateFindings(config)),
  examine("name servers", () => nameFindings(config)),
  examine("link and gateway", () => placeFindings(config)),
  examine("paths", () => pathFindings(config)),
  examine("references", () => referenceFindings(config)),
  examine("service", () => serviceFindings(config)),
  examine("local endpoint", () => listenFindings(config)),
  examine("target guard", () => guardFindings(config)),
  examine("secrets", () => secretFindings(config)),
  examine("signed monitors", () => signingFindings(config)),
  examine("open files", () => fileFindings(config)),
  examine("kernel clock", () => kernelFindings(config)),
];
