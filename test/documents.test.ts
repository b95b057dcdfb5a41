import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { interferencePage } from "../bench/interference/page.ts";
import type { CountRecord, RunRecord } from "../bench/interference/run-record.ts";
import { blocksOf } from "./docs/blocks.ts";

const root = path.resolve(import.meta.dirname, "..");
const pages = globSync(["*.md", "docs/**/*.md", "deploy/**/*.md"], { cwd: root }).toSorted();
const read = (page: string): string => readFileSync(path.join(root, page), "utf8");

/** Links and pictures of a page that lead into the repository, as they are written. */
const linksOf = (page: string): readonly string[] =>
  [...read(page).matchAll(/\]\(<?([^)\s>]+)>?\)|\bsrc="([^"]+)"/g)]
    .map(([, link, picture]) => link ?? picture ?? "")
    .filter((link) => !/^[a-z]+:/.test(link));

/** The anchors of a page, as its headings make them: lower case, words joined by hyphens. */
const anchorsOf = (page: string): readonly string[] =>
  [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );

describe.each(pages)("%s", (page) => {
  test("has no dead link", () => {
    const dead = linksOf(page).filter((link) => {
      const [file = "", anchor] = link.split("#");
      const target = file === "" ? page : path.join(path.dirname(page), file);
      if (!existsSync(path.join(root, target))) return true;
      return anchor !== undefined && !anchorsOf(target).includes(anchor);
    });
    expect(dead).toEqual([]);
  });
});

test("every page of docs/ is in its index", () => {
  const listed = linksOf("docs/README.md");
  const all = globSync("docs/**/*.md", { cwd: root })
    .map((page) => path.relative("docs", page))
    .filter((page) => page !== "README.md");
  expect(all.toSorted().filter((page) => !listed.includes(page))).toEqual([]);
});

/** What `run by` names, a file or a folder of tests, as one text. */
const textOf = (named: string): string =>
  globSync(named.includes(".") ? named : `${named}/**/*.{ts,sh}`, { cwd: root })
    .map(read)
    .join("\n");

test("each shell block that test/docs does not run says why, or which test runs it", () => {
  const unfounded = pages.flatMap(blocksOf).filter(({ page, code, mark }) => {
    if (mark?.kind !== "run by") return false;
    const runner = textOf(mark.text);
    const commands = code.split(/&&|\n/).map((line) => line.replace(/#.*/, "").trim());
    const isRun = (command: string): boolean => runner.includes(command);
    return !runner.includes(page) && !commands.filter((one) => one !== "").every(isRun);
  });
  expect(unfounded.map(({ page, line, mark }) => `${page}:${line} ${mark?.text}`)).toEqual([]);
});

test("the page on interference says what its run recorded, and nothing else", () => {
  const record: RunRecord = JSON.parse(read("docs/evidence/interference.json"));
  const counted = "docs/evidence/interference-counts.json";
  const isCounted = existsSync(path.join(root, counted));
  const counts: CountRecord | null = isCounted ? JSON.parse(read(counted)) : null;
  expect(read("docs/evidence/interference.md")).toBe(interferencePage(record, counts));
});

test("the page on interference names the rank of its 99th percentile as a whole number, whatever a condition lasts", () => {
  const record: RunRecord = JSON.parse(read("docs/evidence/interference.json"));
  const rankAfter = (seconds: number): string | undefined =>
    /percentile is (the worst [^.]*)\. /.exec(interferencePage({ ...record, seconds }, null))?.[1];
  expect([10, 25, 30, 33, 60].map(rankAfter)).toEqual([
    "the worst of them",
    "the worst but 2",
    "the worst but 2",
    "the worst but 3",
    "the worst but 5",
  ]);
});
