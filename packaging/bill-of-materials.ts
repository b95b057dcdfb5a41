import { execFileSync } from "node:child_process";
import { root } from "./bundle.ts";

/**
 * What ships, as CycloneDX in JSON: every production dependency with its version, licence and hash, as the lock file has
 * them. npm writes down when and under which number it made the list; without these, equal contents are equal bytes.
 */
export function billOfMaterials(): string {
  const made = execFileSync("npm", ["sbom", "--package-lock-only", "--sbom-format=cyclonedx"], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const {
    serialNumber: _number,
    metadata,
    components,
    dependencies,
    ...bill
  }: Bill = JSON.parse(made);
  const { timestamp: _time, component, ...how } = metadata;
  // npm's --omit=dev also leaves out what ships when a development package needs it as well.
  const shipping = components.filter((one) => !isForDevelopment(one));
  const refs = new Set([component["bom-ref"], ...shipping.map((one) => one["bom-ref"])]);
  const shipped = {
    ...bill,
    // npm names the folder that it stands in.
    metadata: { ...how, component: { ...component, name: "picket", type: "application" } },
    components: shipping,
    dependencies: dependencies
      .filter(({ ref }) => refs.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) })),
  };
  return `${JSON.stringify(shipped, null, 2)}\n`;
}

interface Bill {
  readonly serialNumber: string;
  readonly metadata: { readonly timestamp: string; readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

interface Component {
  readonly "bom-ref": string;
  readonly properties: readonly { readonly name: string; readonly value: string }[];
}

const isForDevelopment = ({ properties }: Component): boolean =>
  properties.some(({ name, value }) => name === "cdx:npm:package:development" && value === "true");
