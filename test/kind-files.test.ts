import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { withoutComments } from "./support/without-comments.ts";

/**
 * A kind of check is one folder: what else names it is written down here, so that the list stays as short as CONTRIBUTING.md
 * says. A file that names a kind and is not in its list asks for a rule in the kind's own files instead.
 */

const root = path.resolve(import.meta.dirname, "..");
const sources = globSync("src/**/*.ts", { cwd: root })
  .filter((file) => !file.includes("/contract/gen/"))
  .toSorted();

/** The folder of a kind, its probe, and its protocol. */
const ownFiles = (kind: string): RegExp =>
  new RegExp(`^src/(check/kinds/${kind}|probes/${kind})/|^src/wire/kinds/${kind}-`);

const naming = (kind: string, others: RegExp): readonly string[] =>
  sources.filter(
    (file) =>
      !ownFiles(kind).test(file) &&
      !others.test(file) &&
      new RegExp(kind, "i").test(withoutComments(readFileSync(path.join(root, file), "utf8"))),
  );

/** What every kind needs besides its own files. */
const listsOfKinds = [
  "src/check/failure.ts",
  "src/check/kinds/kind-table.ts",
  "src/check/monitor.ts",
  "src/limits/kinds-limits.ts",
  "src/metrics/kinds/KIND-view.ts",
  "src/metrics/kinds/view-table.ts",
  "src/network/target-rules.ts",
  "src/probes/registry.ts",
  "src/service/api/calls-of-kinds.ts",
  "src/wire/kinds/codec-table.ts",
];

describe("a kind of check", () => {
  test("is named by ten files at most besides its folder, its probe and its protocol", () => {
    // The schemes of an operator's list of hosts, an option of the library that answers calls, and failures of gRPC alone.
    const protocol =
      /agent\/secrets\/secret-hosts\.ts$|^src\/service\/calls\.ts$|\/failures\/failure-advice\.ts$/;
    expect(listsOfKinds.length).toBeLessThanOrEqual(10);
    expect(naming("grpc", protocol)).toEqual(
      listsOfKinds.map((file) => file.replace("KIND", "grpc")),
    );
  });
});
