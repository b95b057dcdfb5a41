import { type LocationStep, runningAt } from "#cli/apply/location-plan";
import { quote } from "#cli/apply/shown-plan";
import type { Io } from "#cli/io";
import type { ManagedMonitor, Management } from "#cli/management/management";
import type { MonitorDefinition } from "#check/definition";
import { showText } from "#text";

/** Makes one step on a private location at the service; `idOf` knows each monitor of the files. */
export async function carryOutLocation(
  step: LocationStep,
  idOf: (monitor: MonitorDefinition) => string,
  existing: readonly ManagedMonitor[],
  { locations }: Management,
  { stdout, signal }: Pick<Io, "stdout" | "signal">,
): Promise<void> {
  const monitorIds = step.monitors.map(idOf);
  switch (step.change) {
    case "create": {
      const { name, metadata } = step;
      const created = await locations.createPrivateLocation(
        { name, monitorIds, metadata },
        { signal },
      );
      stdout.write(
        `The token of private location ${quote(name)}: ${showText(created.privateLocation?.token ?? "")}\n` +
          "Give it to its agents as PICKET_TOKEN or in the file that PICKET_TOKEN_FILE names.\n",
      );
      break;
    }
    case "update": {
      const { id, metadata } = step;
      await locations.updatePrivateLocation(
        { id, monitorIds, updateMonitorIds: true, metadata, updateMetadata: true },
        { signal },
      );
      break;
    }
    case "assign": {
      const { id } = step;
      const running = runningAt(id, existing).map(({ message }) => message.id);
      const all = [...new Set([...running, ...monitorIds])];
      await locations.updatePrivateLocation(
        { id, monitorIds: all, updateMonitorIds: true },
        { signal },
      );
      break;
    }
    case "same":
      break;
  }
}
