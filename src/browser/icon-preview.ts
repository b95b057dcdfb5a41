/*
 * Shows the picture that a person chose or dropped before it is saved, and says at once if it is too large. Without this
 * script the icon is shown once it is saved.
 */

const side = 48;

document.addEventListener("change", ({ target }) => {
  if (!(target instanceof HTMLInputElement) || target.dataset["bytesMax"] === undefined) return;
  const [file] = target.files ?? [];
  if (file !== undefined) void follow(target, file);
});

for (const kind of ["dragenter", "dragleave", "drop"])
  document.addEventListener(kind, ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.type !== "file") return;
    target.toggleAttribute("data-over", kind === "dragenter");
  });

// The browser itself takes a file that is dropped on the field; elsewhere on the page it would open the file.
for (const kind of ["dragover", "drop"])
  document.addEventListener(kind, (event) => {
    if (!(event instanceof DragEvent) || event.dataTransfer?.types.includes("Files") !== true)
      return;
    if (event.target instanceof HTMLInputElement && event.target.type === "file") return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "none";
  });

async function follow(field: HTMLInputElement, file: File): Promise<void> {
  const max = Number(field.dataset["bytesMax"]);
  const isLong = file.size > max;
  sayAt(field, isLong ? `This file has ${kib(file.size)}, and ${kib(max)} are the most.` : "");
  const shown = field.form?.querySelector("[data-icon]");
  if (isLong || shown === undefined || shown === null) return;
  const picture = await drawn(file);
  if (field.files?.[0] !== file) return;
  const words = document.createElement("span");
  words.textContent =
    picture === null
      ? "Chosen, not saved yet: it is shown here once it is saved"
      : "Chosen, not saved yet";
  const place = picture ?? document.createElement("span");
  if (picture === null) place.className = "none";
  shown.replaceChildren(place, " ", words);
}

/** Null for what is no picture. Only an SVG cannot be drawn: its own tag shows it, in which no script of it runs. */
async function drawn(file: File): Promise<HTMLElement | null> {
  if (file.type === "image/svg+xml") return imageOf(file);
  try {
    const picture = await createImageBitmap(file);
    const canvas = document.createElement("canvas");
    const scale = Math.min(1, (2 * side) / Math.max(picture.width, picture.height));
    canvas.width = Math.max(1, Math.round(picture.width * scale));
    canvas.height = Math.max(1, Math.round(picture.height * scale));
    canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
    picture.close();
    return canvas;
  } catch {
    return null;
  }
}

async function imageOf(file: File): Promise<HTMLElement | null> {
  const image = new Image();
  image.alt = "";
  image.src = URL.createObjectURL(file);
  try {
    await image.decode();
    return image;
  } catch {
    return null;
  } finally {
    URL.revokeObjectURL(image.src);
  }
}

function sayAt(field: HTMLInputElement, sentence: string): void {
  const around = field.closest(".field");
  around?.classList.remove("wrong");
  for (const old of around?.querySelectorAll(".doubt, .wrong-line") ?? []) old.remove();
  if (sentence === "" || around === null) return;
  const note = document.createElement("p");
  note.className = "doubt";
  note.setAttribute("role", "status");
  note.textContent = sentence;
  around.append(note);
}

const kib = (bytes: number): string =>
  `${Math.ceil(bytes / 1024)
    .toLocaleString("en")
    .replaceAll(",", "\u202f")}\u00a0KiB`;
