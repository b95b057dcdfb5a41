import { expect, test } from "vitest";
import { applyFile } from "../../../support/applied-file.ts";
import { operatorScene } from "../../../support/operator-scene.ts";

const wordsOf = (page: string): string =>
  page
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ (?=[:,.])/g, "");

test.each([
  ["shop", "The files of shop", "the files of shop"],
  ["", "Files", "files"],
])(
  "what a key applied is in the audit log as that of the files, with the key by its name: owner “%s”",
  async (owner, begins, within) => {
    const { get, service } = await operatorScene({ days: 0 });
    const url = "https://shop.test/";
    const http = { name: "shop", url, periodicity: "PERIODICITY_1M" };
    await applyFile(service, { owner, monitors: [{ config: { http } }] });
    const words = wordsOf(await (await get("/changes?kind=monitor")).text());
    expect(words).toContain(`${begins} (applied by the key “apply”) created monitor shop`);
    expect(words).toMatch(
      new RegExp(
        `UTC, by ${within} \\(applied by API key \\d+ \\(apply\\)\\), from 127\\.0\\.0\\.1\\.`,
      ),
    );
    expect(words).toContain(`Managed by files – ${owner === "" ? "files" : owner}`);
  },
);
