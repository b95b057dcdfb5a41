import { html, type Html } from "#web/page/html";
import { scriptAddress, type ScriptName } from "#web/scripts";

/** Has a page run a module of src/browser/, once the page is there as a whole. It may be anywhere in it. */
export const scriptTag = (name: ScriptName): Html =>
  html`<script type="module" src="${scriptAddress(name)}"></script>`;
