import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { rootCertificates } from "node:tls";

/** Its name does not begin with PICKET_: the programs that tests start would warn of a setting that they do not know. */
const variable = "TEST_RUN_FOLDER";

/** What all processes of one run of tests share, so that each thing that takes long to make is made once. */
export function runFolder(): string {
  const folder = process.env[variable];
  if (folder === undefined) throw new Error(`${variable} is not set: the run's set-up does that`);
  return folder;
}

/** Makes it before a run, and removes it after. */
export default function make(): () => void {
  // Another project of this run has made it already.
  if (process.env[variable] !== undefined) return () => {};
  const folder = mkdtempSync(path.join(tmpdir(), "picket-run-"));
  process.env[variable] = folder;
  trustOne(folder);
  return () => rmSync(folder, { recursive: true, force: true });
}

/**
 * Has the run find one authority on the machine. Whoever trusts the machine's reads all of them, each thread anew: with
 * the hundred and more of most machines that is a tenth of a program's start.
 */
function trustOne(folder: string): void {
  const file = path.join(folder, "authority.pem");
  writeFileSync(file, `${rootCertificates[0]}\n`);
  process.env["SSL_CERT_FILE"] = file;
  process.env["SSL_CERT_DIR"] = folder;
}
