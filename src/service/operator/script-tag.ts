import { html, type Html } from "#web/page/html";
import { scriptAddress, type ScriptName } from "#web/scripts";

/** Has a page run one that loads no other before the rest of the page is read, which waits for it. Above a style it waits for none. */
export const earlyScriptTag = (name: ScriptName): Html =>
  html`<script src="${scriptAddress(name)}"></script>`;

/** Has a page run a module of src/browser/, once the page is there as a whole. It may be anywhere in it. */
export const scriptTag = (name: ScriptName): Html =>
  html`<script type="module" src="${scriptAddress(name)}"></script>`;
