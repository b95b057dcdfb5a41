import { spawnSync } from "node:child_process";
import { judgeAudit } from "./audit.ts";
import { root } from "./bundle.ts";

/** `npm run check:audit`: fails on a known vulnerability in what ships, and not because the registry could not be asked. */
const { stdout } = spawnSync("npm", ["audit", "--omit=dev", "--json"], {
  cwd: root,
  encoding: "utf8",
});
const { verdict, message } = judgeAudit(stdout);
process.stdout.write(`${message}\n`);
if (verdict === "vulnerable") process.exitCode = 1;
