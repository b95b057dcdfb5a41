import { readFileSync } from "node:fs";
import path from "node:path";
import { root } from "./bundle.ts";

/** How the image starts its program, as the Dockerfile says: flags of Node.js, and settings of the C library's allocator. */
export interface ImageStart {
  readonly flags: readonly string[];
  readonly allocator: Readonly<Record<string, string>>;
}

export function imageStart(): ImageStart {
  const dockerfile = readFileSync(path.join(root, "Dockerfile"), "utf8");
  const [, entry = "[]"] = /^ENTRYPOINT (.*)$/m.exec(dockerfile) ?? [];
  const words: readonly string[] = JSON.parse(entry);
  const settings = dockerfile.matchAll(/(MALLOC_\w+)=(\S+)/g);
  return {
    flags: words.filter((word) => word.startsWith("--")),
    allocator: Object.fromEntries(Array.from(settings, ([, name, value]) => [name, value])),
  };
}
