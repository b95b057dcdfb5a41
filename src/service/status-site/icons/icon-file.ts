import { createHash } from "node:crypto";
import * as limits from "#limits/status-limits";
import { violation } from "#service/edge/call-refusal";
import type { PostedFile } from "#service/edge/posted-form";
import { pictureIn } from "#service/status-site/icons/picture-kind";
import type { IconFile } from "#service/store/page-store";

/** A file as the store keeps it, or a refusal by the name of its field. Its name is made from its bytes. */
export function iconFileIn({ bytes, isCut }: PostedFile, field: string): IconFile {
  if (isCut)
    throw violation({
      field,
      message: `must have at most ${limits.pageIconBytesMax / 1024}\u00a0KiB: save the picture smaller, for example with 128 pixels on each side`,
    });
  const read = pictureIn(bytes);
  if (read.is === "fault") throw violation({ field, message: read.message });
  const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 32);
  return { name: `${hash}.${read.kind}`, picture: bytes.toString("base64") };
}
