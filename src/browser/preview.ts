/** Long enough for the next key of a person who types. */
const pauseMs = 250;

/*
 * Shows how a message will look while it is typed. Without this script a button of the form does that.
 */

let timer = 0;
let asked = 0;

document.documentElement.dataset["previews"] = "yes";
document.addEventListener("input", ({ target }) => {
  if (!(target instanceof HTMLTextAreaElement) || target.form === null) return;
  const { form, name, value } = target;
  const shown = form.querySelector(`[data-preview="${CSS.escape(name)}"]`);
  if (shown === null) return;
  clearTimeout(timer);
  timer = setTimeout(() => void follow(form, value, shown), pauseMs);
});

/** What was typed later is shown, whichever answer comes first. */
async function follow(form: HTMLFormElement, message: string, shown: Element): Promise<void> {
  asked += 1;
  const number = asked;
  const parts = await previewOf(form, message);
  if (parts !== null && number === asked) shown.replaceChildren(...parts);
}

/** Null if the service does not answer: what was shown stays. */
async function previewOf(form: HTMLFormElement, message: string): Promise<ChildNode[] | null> {
  const token = form.querySelector('input[name="form"]');
  const body = new URLSearchParams({
    form: token instanceof HTMLInputElement ? token.value : "",
    message,
  });
  try {
    const answer = await fetch("/preview", { method: "POST", body, redirect: "error" });
    if (!answer.ok) return null;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    return [...page.body.childNodes];
  } catch {
    return null;
  }
}
