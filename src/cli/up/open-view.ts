import type { Io } from "#cli/edge/io";
import { startLiveView } from "#cli/up/live-view";
import type { LocalService } from "#cli/up/local-service";
import { startPlainView } from "#cli/up/plain-view";
import type { UpArguments } from "#cli/up/up-arguments";
import type { View, ViewOptions } from "#cli/up/up-view";
import type { Clock } from "#base/clock";
import type { MonitorDefinition } from "#check/definition";
import { counted, showText } from "#base/text";

/** The view that fits where the output goes: one that redraws itself, plain lines, or none but notes. */
export function openView(
  options: UpArguments,
  definitions: readonly MonitorDefinition[] | null,
  { url, monitors }: LocalService,
  { io, clock }: { readonly io: Io; readonly clock: Clock },
): View {
  const inactive = (definitions ?? []).filter(({ active }) => !active);
  const what = counted(monitors.length, "monitor");
  const not = inactive.length === 0 ? "" : ` (${inactive.length} of them inactive)`;
  const until = options.runFor === null ? "until Ctrl-C" : `for ${options.runFor / 1000} s`;
  const kept = options.dataDirectory === null ? "" : `, its data in ${options.dataDirectory}`;
  const title = `Picket runs ${what}${not} from this machine ${until}; the service is at ${url}${kept}`;
  for (const { kind, name } of inactive)
    io.stderr.write(
      `The ${kind} monitor "${showText(name)}" has active: false and does not run.\n`,
    );
  const view: ViewOptions = { io, clock, monitors, title };
  if (options.json) return quietView(view);
  return io.interactive ? startLiveView(view) : startPlainView(view);
}

/** With --json the report alone is on stdout. */
function quietView({ io, title }: ViewOptions): View {
  const note = (line: string): void => void io.stderr.write(`${showText(line)}\n`);
  note(title);
  return { result: () => {}, location: () => {}, note, [Symbol.dispose]: () => {} };
}
