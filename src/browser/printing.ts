/** Has a button print the page. The style shows it to those alone who have a script. */
export function offerPrint(): void {
  document.addEventListener("click", ({ target }) => {
    if (target instanceof Element && target.closest("[data-prints]") !== null) print();
  });
}
