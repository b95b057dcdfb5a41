import { writeFileSync } from "node:fs";
import path from "node:path";
import { bundle } from "./bundle.ts";
import { licensesOf } from "./licenses.ts";

/**
 * `build-program.ts FOLDER`: the bundle and the licences of what is in it, for a service that runs from the sources and hands
 * out the program. It starts no other program, and so does without npm.
 */
const [folder = "dist"] = process.argv.slice(2);
writeFileSync(path.join(folder, "THIRD-PARTY-LICENSES.txt"), licensesOf(await bundle(folder)));
