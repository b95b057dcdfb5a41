import { beforeAll, expect } from "vitest";
import { beginFile, endAsking } from "./asked-programs.ts";
import { resolveByName } from "./resolve-by-name.ts";

// Before each file of tests; the files of a process share what it has registered.
resolveByName();
beginFile(expect.getState().testPath ?? "");
beforeAll(endAsking);
