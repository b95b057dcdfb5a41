import type { Page } from "playwright-core";

/** A device that keeps passkeys, in the browser of a page: it signs whatever it is asked for, as if a finger lay on it. */
export interface PasskeyDevice {
  /** The passkeys that it keeps. */
  readonly credentials: () => Promise<readonly { readonly credentialId: string }[]>;
  /** From now on it does not know who holds it, as a security key without a PIN. */
  readonly forgetPerson: () => Promise<void>;
  readonly loseAll: () => Promise<void>;
}

export async function passkeyDevice(page: Page): Promise<PasskeyDevice> {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    credentials: async () =>
      (await session.send("WebAuthn.getCredentials", { authenticatorId })).credentials,
    forgetPerson: async () => {
      await session.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false });
    },
    loseAll: async () => {
      await session.send("WebAuthn.clearCredentials", { authenticatorId });
    },
  };
}

/** What the browser of a page answers to these options, as the page's own script would send it. */
export const signedBy = (page: Page, options: object): Promise<string> =>
  page.evaluate(async (asked) => {
    const publicKey = Reflect.get(globalThis, "PublicKeyCredential").parseRequestOptionsFromJSON(
      asked,
    );
    const credentials = Reflect.get(Reflect.get(globalThis, "navigator"), "credentials");
    return JSON.stringify(await credentials.get({ publicKey }));
  }, options);
