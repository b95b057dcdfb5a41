import { offerCopies } from "#browser/copying";
import { closeDrops } from "#browser/drops";
import { watchEdits } from "#browser/edits";
import { holdForms } from "#browser/holding";
import { narrowBoxes } from "#browser/narrowing";
import { keepRenewing } from "#browser/renewal";
import { offerJump } from "#browser/jump";
import { keepFocusAfterActs } from "#browser/after-acts";
import { listenForKeys } from "#browser/keys";
import { showOwnTimes } from "#browser/own-times";
import { takeOwnTimes } from "#browser/utc-fields";
import { searchAsTyped } from "#browser/searching";
import { countDown } from "#browser/waiting";

/*
 * What every page does by itself if a script may run: it shows what is new without a reload, and keys lead where links
 * do. Without it everything works.
 */

holdForms();
watchEdits();
keepRenewing();
listenForKeys();
offerJump();
keepFocusAfterActs();
offerCopies();
narrowBoxes();
showOwnTimes();
takeOwnTimes();
closeDrops();
searchAsTyped();
offerPrint();
countDown();

/** Has a button print the page. The style shows it to those alone who have a script. */
function offerPrint(): void {
  document.addEventListener("click", ({ target }) => {
    if (target instanceof Element && target.closest("[data-prints]") !== null) print();
  });
}
