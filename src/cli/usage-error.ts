import { parseArgs, type ParseArgsConfig } from "node:util";

/** The command was called in a way that it does not understand; main.ts says so and exits with 64. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** node:util's parseArgs, strict, whose complaints are usage errors. */
export function parseArguments<T extends ParseArgsConfig>(
  args: readonly string[],
  config: T,
): ReturnType<typeof parseArgs<T & { args: readonly string[] }>> {
  try {
    return parseArgs({ ...config, args });
  } catch (error) {
    if (error instanceof TypeError && "code" in error && isUsageCode(error.code))
      throw new UsageError(sentenceOf(error.message));
    throw error;
  }
}

/** What parseArgs says beside the first sentence is for programmers, and in lines. */
function sentenceOf(message: string): string {
  const [, ambiguous] = /^Option '(-\S+)' argument is ambiguous/.exec(message) ?? [];
  if (ambiguous === undefined) return message.split(". ")[0] ?? message;
  const joint = ambiguous.startsWith("--") ? "=" : "";
  return `${ambiguous} has no value; one that begins with a dash is written ${ambiguous}${joint}-VALUE`;
}

const isUsageCode = (code: unknown): boolean =>
  typeof code === "string" && code.startsWith("ERR_PARSE_ARGS_");
