import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { exitCodes } from "#cli/edge/exit-code";
import { readWords } from "#cli/grammar/read-words";
import type { Io } from "#cli/edge/io";
import { monitorsIn, pageFiles, summaryOf } from "#cli/status-page/page-files";
import { readPage } from "#cli/status-page/page-reading";
import { statusPageGrammar } from "#cli/status-page/status-page-grammar";
import { readServiceEnvironment } from "#cli/management/service-environment";
import { CannotDo, withService } from "#cli/management/with-service";
import { UsageError } from "#cli/edge/usage-error";
import { counted, showText } from "#base/text";

/** `picket status-page export SLUG DIR`: a public page as files. */
export async function runStatusPage(args: readonly string[], io: Io): Promise<number> {
  const typed = readWords(statusPageGrammar, args, io);
  if (typed === null) return exitCodes.fine;
  const [verb, slug, directory, ...more] = typed.words;
  if (verb !== "export" || slug === undefined || directory === undefined || more.length > 0)
    throw new UsageError("status-page takes export SLUG DIR");
  return withService("status-page", io, async ({ statusPages }) => {
    const identifier = { case: "slug", value: slug } as const;
    const content = await statusPages.getStatusPageContent({ identifier }, { signal: io.signal });
    const service = readServiceEnvironment(io);
    if (service === null) return exitCodes.failed;
    const [summary] = await readPage(service.access, [summaryOf(content)], io.signal);
    const files = pageFiles(content, monitorsIn(String(summary)));
    // All of it is read before any of it is replaced.
    const read = await readPage(
      service.access,
      files.map(({ url }) => url),
      io.signal,
    );
    for (const [index, { file }] of files.entries())
      writeWhole(path.join(directory, file), read[index] ?? Buffer.alloc(0));
    io.stdout.write(
      `${counted(files.length, "file")} of ${showText(slug)} in ${showText(directory)}\n`,
    );
    return exitCodes.fine;
  });
}

/** Readers never see half of a file. */
function writeWhole(file: string, bytes: Uint8Array): void {
  const draft = `${file}.new`;
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(draft, bytes);
    renameSync(draft, file);
  } catch (error) {
    const code = Error.isError(error) && "code" in error ? String(error.code) : String(error);
    throw new CannotDo(`${file} cannot be written (${code})`);
  }
}
