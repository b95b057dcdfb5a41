import { createHash, randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { toBinary } from "@bufbuild/protobuf";
import { type Configuration, ConfigurationSchema } from "#contract/picket/v1/configuration_pb";
import { CannotDo } from "#cli/management/with-service";
import { UsageError } from "#cli/edge/usage-error";

/** A plan that a person looked at, to be applied later: which files it was made of, and what they said then. */
interface PlanFile {
  readonly files: readonly string[];
  readonly owner: string | null;
  readonly location: string | null;
  readonly prune: boolean;
  /** The state of the service that was compared. */
  readonly revision: string;
  readonly salt: string;
  /** Of all that the files said, secrets too; they are not in the file. */
  readonly fingerprint: string;
}

const marker = "picket plan 1";

export function writePlanFile(
  file: string,
  plan: Omit<PlanFile, "salt" | "fingerprint">,
  configuration: Configuration,
): void {
  if (plan.files.includes("-"))
    throw new UsageError("a plan of standard input cannot be kept: it cannot be read again");
  const salt = randomBytes(16).toString("hex");
  const kept = { is: marker, ...plan, salt, fingerprint: fingerprintOf(configuration, salt) };
  writeFileSync(file, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 });
}

export function readPlanFile(file: string): PlanFile {
  const kept: unknown = parsed(file);
  if (isPlanFile(kept)) return kept;
  throw new UsageError(`${file} is not a plan: make one with picket plan -f FILE -o ${file}`);
}

function parsed(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    if (Error.isError(error) && "code" in error)
      throw new UsageError(`the plan ${file} cannot be read (${String(error.code)})`);
    return null;
  }
}

const isPlanFile = (kept: unknown): kept is PlanFile =>
  typeof kept === "object" &&
  kept !== null &&
  "is" in kept &&
  kept.is === marker &&
  "files" in kept &&
  Array.isArray(kept.files) &&
  "revision" in kept &&
  typeof kept.revision === "string";

/** Refuses files that say something else than when the plan was made. */
export function compareWithPlan(
  { salt, fingerprint }: PlanFile,
  configuration: Configuration,
): void {
  if (fingerprintOf(configuration, salt) !== fingerprint)
    throw new CannotDo(
      "the files, or the secrets that they refer to, have changed since the plan was made: plan again. Nothing was changed.",
    );
}

const fingerprintOf = (configuration: Configuration, salt: string): string =>
  createHash("sha256")
    .update(salt)
    .update(toBinary(ConfigurationSchema, configuration))
    .digest("hex");
