import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import path from "node:path";

/**
 * Replaces a file by one that holds this text and that only its owner reads: after a crash there is the old one or the
 * new one, whole. Throws what the file system says.
 */
export const keepText = (file: string, text: string): void => keepPieces(file, [text]);

/** The same for a long text, of which only a piece is in memory at a time. */
export function keepPieces(file: string, pieces: Iterable<string>): void {
  const fresh = `${file}.new`;
  rmSync(fresh, { force: true });
  const descriptor = openSync(fresh, "wx", 0o600);
  try {
    for (const piece of pieces) writeWhole(descriptor, Buffer.from(piece));
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(fresh, file);
  syncFolderOf(file);
}

/** The text of a file; null if there is none. Throws if there is one that cannot be read. */
export function keptText(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (Error.isError(error) && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

/** write(2) may take a part only, as on a disk that fills up. */
export function writeWhole(descriptor: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length;) written += writeSync(descriptor, bytes, written);
}

/** The new name of a file is durable with its folder. */
export function syncFolderOf(file: string): void {
  const descriptor = openSync(path.dirname(file), "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
