/** Why a file cannot be used: the system's code for one that cannot be read, else what our own code says. */
export function reason(error: unknown): string {
  if (!Error.isError(error)) return String(error);
  return "code" in error ? String(error.code) : error.message;
}
