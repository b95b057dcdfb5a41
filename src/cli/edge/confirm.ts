import { createInterface } from "node:readline/promises";
import type { Io } from "#cli/edge/io";

/** Asks a person for a yes; if nothing can be answered, the answer is no. */
export async function confirms(question: string, { stdin, stderr, signal }: Io): Promise<boolean> {
  stderr.write(`${question} Type yes: `);
  const reader = createInterface({ input: stdin, signal });
  try {
    for await (const line of reader) return line.trim().toLowerCase() === "yes";
  } finally {
    reader.close();
  }
  stderr.write("\n");
  return false;
}
