import { fillByPaste } from "#browser/pasting";
import { findAsTyped } from "#browser/box-finding";
import { askBeforeLeaving } from "#browser/leaving";
import { makeNames } from "#browser/naming";
import { watchPresses } from "#browser/pressing";
import { sayChanges, sayOpened } from "#browser/folded-groups";
import { sayNotified } from "#browser/notified";
import { leadToRule, keepLength } from "#browser/planned-form";
import { stayInPlace } from "#browser/staying";
import { saySums } from "#browser/summing";
import { sayTrying } from "#browser/trying";
import { keepKeys } from "#browser/typed-meanwhile";

/*
 * What a form does by itself if a script may run: buttons that change it, fill it or try it leave the page where it is,
 * and what is pasted fills it at once. The browser asks before changes are lost. Without it each answer is a whole page.
 */

watchPresses();
keepKeys();
stayInPlace();
askBeforeLeaving();
leadToRule();
keepLength();
makeNames();
findAsTyped();
fillByPaste();
sayChanges();
sayNotified();
sayOpened();
saySums();
sayTrying();
selectFilled();

/** What the service filled in where a person begins is typed over. What they typed themselves stays, also before this ran. */
function selectFilled(): void {
  const first = "form.form:not([data-unsaved]) input[autofocus]";
  const field = document.querySelector<HTMLInputElement>(first);
  if (field?.type === "text" && field.value === field.defaultValue) field.select();
}
