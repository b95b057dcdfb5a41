/** The command was called in a way that it does not understand; main.ts says so and exits with 64. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
