type Kind = "success" | "error" | "warning" | "info";

/** Seconds that a notification stays (specification section 9). */
const STAY_MS = 4000;

let shelf: HTMLElement | undefined;

/**
 * A short message at the top of the window. Plain DOM, so that the login page can use it without the kit.
 * `title` stands in bold before the text.
 */
export function toast(text: string, kind: Kind = "success", title?: string): void {
  if (!shelf?.isConnected) {
    shelf = document.createElement("div");
    shelf.className = "toasts";
    shelf.setAttribute("role", "status");
    shelf.setAttribute("aria-live", "polite");
    document.body.append(shelf);
  }
  const note = document.createElement("div");
  note.className = `toast toast--${kind}`;
  if (title) {
    const head = document.createElement("b");
    head.textContent = title;
    note.append(head);
  }
  note.append(text);
  shelf.append(note);
  while (shelf.childElementCount > 4) shelf.firstElementChild?.remove();
  setTimeout(() => note.remove(), STAY_MS);
}

/** Copies a text and says so. The fallback serves plain http, where the clipboard is closed. */
export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast("复制成功");
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    toast(done ? "复制成功" : "复制失败", done ? "success" : "error");
  }
}
