import { resolveByName } from "./resolve-by-name.ts";

// Before each file of tests; the files of a process share what it has registered.
resolveByName();
