import { expect, test } from "vitest";
import { PublicAddress } from "#service/edge/public-address";
import { publicAddressSetting } from "#service/store/state-store";

/** A store's settings with this address in them. */
const holding = (url: string) => ({
  all: async () => new Map([[publicAddressSetting, url]]),
  put: async () => {},
  remove: async () => true,
});

const nowhere = { setting: null, local: null };

test.each(["https://a$(id).example.com/", "https://a;id;.com/", "http://`reboot`/"])(
  "an address in the database with characters that a shell reads is none: %s",
  async (url) => {
    const address = new PublicAddress(holding(url), nowhere);
    await address.read();
    expect(address.url).toBeNull();
  },
);

test.each(["https://picket.example.com/", "http://[fd00::1]:8080/", "http://10.0.0.1:4000/"])(
  "an address in the database with a plain host is the service's: %s",
  async (url) => {
    const address = new PublicAddress(holding(url), nowhere);
    await address.read();
    expect(address.url).toBe(url);
  },
);

test("a read that begins before a change and ends after it does not bring the former address back", async () => {
  const began = Promise.withResolvers<ReadonlyMap<string, string>>();
  const settings = { ...holding(""), all: () => began.promise };
  const address = new PublicAddress(settings, nowhere);
  const reading = address.read();
  await address.change("https://new.example.com/");
  began.resolve(new Map([[publicAddressSetting, "https://former.example.com/"]]));
  await reading;
  expect(address.url).toBe("https://new.example.com/");
});
