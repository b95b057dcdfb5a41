import { hold, isReleased } from "#browser/holding";

/*
 * Has the browser make or use a passkey, and sends what it answers with the form. A form without that says what to do
 * instead.
 */

for (const form of document.querySelectorAll<HTMLFormElement>("form[data-passkey]"))
  form.addEventListener("submit", (event) => {
    if (isReleased()) return;
    event.preventDefault();
    void answer(form);
  });

async function answer(form: HTMLFormElement): Promise<void> {
  const field = form.querySelector<HTMLInputElement>('input[name="answer"]');
  const said = form.querySelector<HTMLElement>("[data-says]");
  if (field === null || said === null) return;
  said.hidden = true;
  try {
    const credential = await credentialFor(form.dataset);
    if (credential === null) return;
    field.value = JSON.stringify(credential);
    hold(form, null);
  } catch (error) {
    said.textContent = wordsOf(error);
    said.hidden = false;
  }
}

async function credentialFor({ passkey, options }: DOMStringMap): Promise<Credential | null> {
  const asked = JSON.parse(options ?? "{}");
  if (passkey === "make") {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(asked);
    return navigator.credentials.create({ publicKey });
  }
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(asked);
  return navigator.credentials.get({ publicKey });
}

/** What a person can do about it; the browsers' own words are for programmers. */
function wordsOf(error: unknown): string {
  const name = error instanceof Error || error instanceof DOMException ? error.name : "";
  switch (name) {
    case "NotAllowedError":
      return "Nothing was signed: it was cancelled, it took too long, or this device has no passkey for this address. Try again.";
    case "InvalidStateError":
      return "You already have a passkey on this device.";
    case "SecurityError":
      return "The browser makes no passkey for this address. Open the service by its public address over https.";
    case "TypeError":
    case "ReferenceError":
      return "This browser is too old for passkeys, or the page was not opened over https.";
    default:
      return "The browser could not use a passkey. Try again, or use another way.";
  }
}
