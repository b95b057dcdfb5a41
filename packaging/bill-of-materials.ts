import { execFileSync } from "node:child_process";
import { root } from "./bundle.ts";

/**
 * What ships, as CycloneDX in JSON: every production dependency with its version, licence and hash, as the lock file has
 * them. npm writes down when and under which number it made the list; without these, equal contents are equal bytes.
 */
export function billOfMaterials(): string {
  const made = execFileSync(
    "npm",
    ["sbom", "--package-lock-only", "--omit=dev", "--sbom-format=cyclonedx"],
    { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] },
  );
  const bill: Bill = JSON.parse(made);
  delete bill.serialNumber;
  delete bill.metadata.timestamp;
  // npm names the folder that it stands in.
  bill.metadata.component = { ...bill.metadata.component, name: "picket", type: "application" };
  return `${JSON.stringify(bill, null, 2)}\n`;
}

interface Bill {
  serialNumber?: string;
  metadata: { timestamp?: string; component: { name: string; type: string } };
}
