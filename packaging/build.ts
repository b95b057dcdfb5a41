import path from "node:path";
import { root } from "./bundle.ts";
import { buildInto } from "./shipped.ts";

/** `npm run build [-- FOLDER]`: what is installed in an image, in `dist/` or the folder that is named. */
await buildInto(path.resolve(process.argv[2] ?? path.join(root, "dist")));
