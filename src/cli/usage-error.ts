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
      // The sentences after the first explain parseArgs to programmers.
      throw new UsageError(error.message.split(". ")[0] ?? error.message);
    throw error;
  }
}

const isUsageCode = (code: unknown): boolean =>
  typeof code === "string" && code.startsWith("ERR_PARSE_ARGS_");
