import { kindWords } from "#check/monitor";
import { agentGrammar, configGrammar } from "#cli/agent/agent-grammar";
import { applyGrammar, exportGrammar, importGrammar, planGrammar } from "#cli/apply/apply-grammar";
import { checkGrammar } from "#cli/check/check-grammar";
import { completionGrammar } from "#cli/completion/completion-grammar";
import { doctorGrammar } from "#cli/doctor/doctor-grammar";
import type { Grammar } from "#cli/grammar/command";
import { healthGrammar } from "#cli/health/health-grammar";
import { keyGrammar } from "#cli/key/key-grammar";
import { whyGrammar } from "#cli/why/why-grammar";
import type { Io } from "#cli/edge/io";
import {
  ackGrammar,
  deliveriesGrammar,
  incidentsGrammar,
  silenceGrammar,
} from "#cli/management/alerting-grammars";
import { auditGrammar } from "#cli/management/audit-grammar";
import {
  checkNowGrammar,
  deleteGrammar,
  locationsGrammar,
  monitorsGrammar,
  resultsGrammar,
  statusGrammar,
  statusPagesGrammar,
  tokenGrammar,
} from "#cli/management/seeing-grammars";
import { serviceGrammar } from "#cli/service/service-grammar";
import { statusPageGrammar } from "#cli/status-page/status-page-grammar";
import { upGrammar } from "#cli/up/up-grammar";

/** What a person can type behind `picket`: parser, help and completion of each are made from its grammar. */
interface Command {
  readonly grammar: Grammar;
  /** Loaded when it is called, so that one check does not load the service. */
  readonly load: () => Promise<(args: readonly string[], io: Io) => Promise<number>>;
}

const titles = Object.values(kindWords)
  .map(({ title }) => title)
  .join(", ")
  .replace(/, (?=[^,]*$)/, " and ");
export const purpose: string = `Picket runs the ${titles} checks of a private location from inside your network.`;

export const commands: readonly Command[] = [
  { grammar: upGrammar, load: async () => (await import("#cli/up/up-command")).runUp },
  { grammar: agentGrammar, load: async () => (await import("#cli/agent/agent-command")).runAgent },
  {
    grammar: healthGrammar,
    load: async () => (await import("#cli/health/health-command")).runHealth,
  },
  { grammar: checkGrammar, load: async () => (await import("#cli/check/check-command")).runCheck },
  {
    grammar: serviceGrammar,
    load: async () => (await import("#cli/service/service-command")).runService,
  },
  { grammar: planGrammar, load: async () => (await import("#cli/apply/apply-command")).runPlan },
  { grammar: applyGrammar, load: async () => (await import("#cli/apply/apply-command")).runApply },
  {
    grammar: exportGrammar,
    load: async () => (await import("#cli/apply/export-command")).runExport,
  },
  {
    grammar: importGrammar,
    load: async () => (await import("#cli/apply/import-command")).runImport,
  },
  {
    grammar: configGrammar,
    load: async () => (await import("#cli/agent/config-command")).runConfig,
  },
  {
    grammar: whyGrammar,
    load: async () => (await import("#cli/why/why-command")).runWhy,
  },
  {
    grammar: doctorGrammar,
    load: async () => (await import("#cli/doctor/doctor-command")).runDoctor,
  },
  {
    grammar: statusGrammar,
    load: async () => (await import("#cli/management/status-command")).runStatus,
  },
  {
    grammar: resultsGrammar,
    load: async () => (await import("#cli/management/results-command")).runResults,
  },
  {
    grammar: monitorsGrammar,
    load: async () => (await import("#cli/management/list-commands")).runMonitors,
  },
  {
    grammar: locationsGrammar,
    load: async () => (await import("#cli/management/list-commands")).runLocations,
  },
  {
    grammar: statusPagesGrammar,
    load: async () => (await import("#cli/management/list-commands")).runStatusPages,
  },
  {
    grammar: statusPageGrammar,
    load: async () => (await import("#cli/status-page/status-page-command")).runStatusPage,
  },
  {
    grammar: incidentsGrammar,
    load: async () => (await import("#cli/management/incident-commands")).runIncidents,
  },
  {
    grammar: ackGrammar,
    load: async () => (await import("#cli/management/incident-commands")).runAck,
  },
  {
    grammar: silenceGrammar,
    load: async () => (await import("#cli/management/silence-command")).runSilence,
  },
  {
    grammar: deliveriesGrammar,
    load: async () => (await import("#cli/management/incident-commands")).runDeliveries,
  },
  {
    grammar: checkNowGrammar,
    load: async () => (await import("#cli/management/check-now-command")).runCheckNow,
  },
  {
    grammar: tokenGrammar,
    load: async () => (await import("#cli/management/token-command")).runToken,
  },
  {
    grammar: keyGrammar,
    load: async () => (await import("#cli/key/key-command")).runKey,
  },
  {
    grammar: auditGrammar,
    load: async () => (await import("#cli/management/audit-command")).runAudit,
  },
  {
    grammar: deleteGrammar,
    load: async () => (await import("#cli/management/delete-command")).runDelete,
  },
  {
    grammar: completionGrammar,
    load: async () => {
      const { completionCommand } = await import("#cli/completion/completion-command");
      return completionCommand(commands.map(({ grammar }) => grammar));
    },
  },
];
