import { writeFileSync } from "node:fs";
import path from "node:path";
import { billOfMaterials } from "./bill-of-materials.ts";
import { bundle, root } from "./bundle.ts";
import { licensesOf } from "./licenses.ts";

/** `npm run build [-- FOLDER]`: what is installed in an image, in `dist/` or the folder that is named. */
const folder = path.resolve(process.argv[2] ?? path.join(root, "dist"));

const files = await bundle(folder);
writeFileSync(path.join(folder, "THIRD-PARTY-LICENSES.txt"), licensesOf(files));
writeFileSync(path.join(folder, "sbom.cdx.json"), billOfMaterials());
