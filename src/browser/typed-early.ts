/*
 * What a person types while a page with a form is still on its way. The browser puts the cursor into the field only when it
 * draws the page, and drops what was typed before that. It is typed into the field as soon as the cursor is there. The page
 * waits for this script, so it loads no other.
 */

takeEarlyKeys();

function takeEarlyKeys(): void {
  let typed = "";
  const isNowhere = (active: EventTarget | null): boolean =>
    active === null || active === document.body || active === document.documentElement;
  const keep = (event: KeyboardEvent): void => {
    const { key, target, isComposing, ctrlKey, altKey, metaKey } = event;
    if (!isNowhere(target) || isComposing || ctrlKey || altKey || metaKey || !/^.$/u.test(key))
      return;
    event.preventDefault();
    event.stopPropagation();
    typed += key;
  };
  const end = (): void => {
    removeEventListener("keydown", keep, true);
    removeEventListener("focusin", type, true);
  };
  // What the service filled in is typed over, as it is by a form's own script.
  const type = ({ target }: FocusEvent): void => {
    end();
    const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
    if (typed === "" || !isField || !target.autofocus) return;
    if (target instanceof HTMLInputElement && target.value === target.defaultValue) target.select();
    // eslint-disable-next-line typescript/no-deprecated -- no other call counts as a person's, and can be undone.
    document.execCommand("insertText", false, typed);
  };
  addEventListener("keydown", keep, true);
  addEventListener("focusin", type, true);
  // By then the cursor is in the field, if the page has one.
  addEventListener("load", () => requestAnimationFrame(() => requestAnimationFrame(end)));
}
