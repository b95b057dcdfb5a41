import { createHmac, timingSafeEqual } from "node:crypto";
import type { SecretBox } from "#service/edge/secret-box";
import type { SubscriberRow } from "#service/store/subscriber-store";
import { epochMillis, type EpochMillis } from "#base/units";

/** Signs the links of mails to readers, so that whoever has the mail needs no password for what they do. */
export interface NewsLinks {
  /** Of the mail that was asked for at that instant. */
  verify(subscriber: Pick<SubscriberRow, "id">, askedAt: EpochMillis): string;
  readVerify(token: string): { readonly id: number; readonly askedAt: EpochMillis } | null;
  /** To change a subscription and to end it. It never ends: an old mail's link has to work, too. */
  own(subscriber: Pick<SubscriberRow, "id">): string;
  readOwn(token: string): number | null;
}

export function newsLinks(box: SecretBox): NewsLinks {
  const key = box.keyFor("links to subscriptions");
  const sign = (text: string): string =>
    createHmac("sha256", key).update(text).digest("base64url").slice(0, 32);
  const token = (purpose: string, numbers: readonly number[]): string => {
    const text = numbers.join(".");
    return `${text}.${sign(`${purpose} ${text}`)}`;
  };
  const read = (purpose: string, given: string): readonly number[] | null => {
    const parts = given.split(".");
    const numbers = parts.slice(0, -1).map(Number);
    const [wanted, own] = [token(purpose, numbers), given].map((one) => Buffer.from(one));
    if (wanted === undefined || own === undefined || wanted.length !== own.length) return null;
    return timingSafeEqual(wanted, own) ? numbers : null;
  };
  return {
    verify: ({ id }, askedAt) => token("verify", [id, askedAt]),
    readVerify: (given) => {
      const [id, askedAt] = read("verify", given) ?? [];
      if (id === undefined || askedAt === undefined) return null;
      return { id, askedAt: epochMillis(askedAt) };
    },
    own: ({ id }) => token("own", [id]),
    readOwn: (given) => read("own", given)?.[0] ?? null,
  };
}
