import { writeFileSync } from "node:fs";
import path from "node:path";
import { billOfMaterials } from "./bill-of-materials.ts";
import { bundle } from "./bundle.ts";
import { licensesOf } from "./licenses.ts";

/** Writes into `folder` the bundle, the licences of what is in it, and the bill of materials. */
export async function buildInto(folder: string): Promise<void> {
  const files = await bundle(folder);
  writeFileSync(path.join(folder, "THIRD-PARTY-LICENSES.txt"), licensesOf(files));
  writeFileSync(path.join(folder, "sbom.cdx.json"), billOfMaterials());
}
