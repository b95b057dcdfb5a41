import { rulesFor } from "#cli/check/assert-option";
import { UsageError } from "#cli/edge/usage-error";
import type { MonitorDefinition } from "#check/definition";
import { kindTable } from "#check/kinds/kind-table";
import type { TypedOptions, TypedRule } from "#check/kinds/typed-kind";
import { kinds } from "#check/monitor";

/** What the options of `picket check` say of every target that is typed next to them. */
export interface TargetOptions extends Pick<TypedOptions, "common" | "request"> {
  readonly rules: readonly TypedRule[];
}

/** The target with the scheme that was meant: a bare host is one of https. Throws a UsageError where it is no target. */
export function wholeTarget(typed: string): string {
  if (Object.values(kindTable).some(({ typed: { scheme } }) => scheme.test(typed))) return typed;
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(typed)?.[1];
  if (scheme !== undefined) {
    const shapes = Object.values(kindTable).map(({ typed: { shape } }) => shape);
    const list = shapes.join(", ").replace(/, (?=[^,]*$)/, " or ");
    throw new UsageError(`there is no check of ${scheme} targets: write ${list}`);
  }
  // A word with an @ may be a password's; what it means is not guessed.
  if (!/^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?(?:[/?#].*)?$/isu.test(typed))
    throw new UsageError(noTarget(typed));
  return `https://${typed}`;
}

/** The monitor that a target with its scheme stands for. */
export function definitionOf(target: string, options: TargetOptions): MonitorDefinition {
  const kind = kinds.find((one) => kindTable[one].typed.scheme.test(target)) ?? "http";
  return kindTable[kind].typed.definition(target, {
    ...options,
    rules: rulesFor(kind, options.rules),
  });
}

/** What is shown gets copied into tickets: user-info and query may be secrets. */
function noTarget(typed: string): string {
  const shown = typed.replace(/[?#].*$/s, "").replace(/^.*@/s, "");
  return `"${shown}" is not a target: write https://${shown}, tcp://${shown}, dns:${shown} or ping:${shown}`;
}
