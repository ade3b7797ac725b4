import { useEffect, useRef, type ReactNode } from "react";
import { createPortal } from "react-dom";

// The layers that are open, the topmost last. Esc closes that one alone.
const stack: { close: () => void }[] = [];

function onKey(event: KeyboardEvent): void {
  if (event.key !== "Escape" || event.defaultPrevented || event.isComposing) return;
  // a select, a date picker or a menu that is open inside takes the key first; one that is going away does not
  if (
    document.querySelector(
      ".ant-select-open, .ant-picker-focused.ant-picker-open, .ant-dropdown:not(.ant-dropdown-hidden, [class*='-leave'])",
    )
  )
    return;
  stack.at(-1)?.close();
}

const MENU = ".ant-dropdown, .ant-select-dropdown, .ant-picker-dropdown";
/** Where the focus was before it went into a menu, which is gone when a layer that it opened closes. */
let before: HTMLElement | null = null;
globalThis.addEventListener?.("focusin", ({ target }) => {
  if (target instanceof HTMLElement && !target.closest(MENU)) before = target;
});
/** What opened a layer, as far as the focus tells. */
const openerNow = (): HTMLElement | null => {
  const at = document.activeElement as HTMLElement | null;
  return at && at !== document.body && !at.closest(MENU) ? at : before;
};

const FOCUSABLE =
  "a[href],button:not(:disabled),input:not(:disabled),textarea:not(:disabled),[tabindex]:not([tabindex='-1'])";

const focusables = (box: HTMLElement) =>
  [...box.querySelectorAll<HTMLElement>(FOCUSABLE)].filter((e) => e.offsetParent !== null);

/** Where work starts: the marked field, the first plain one of a form, else the layer itself. */
const firstOf = (box: HTMLElement, modal: boolean): HTMLElement =>
  box.querySelector<HTMLElement>("[data-autofocus]") ??
  (modal ? box.querySelector<HTMLElement>("form input:not(.ant-picker-input *), textarea") : null) ??
  box;

type LayerProps = {
  className: string;
  label: string;
  modal: boolean;
  onClose: () => void;
  children: ReactNode;
};

/**
 * What floats above the page: drawer or dialog. With `modal` a scrim covers the rest and the tab key stays inside.
 * Focus goes in when it opens and back to where it was when it closes.
 */
export function Layer({ className, label, modal, onClose, children }: LayerProps) {
  const box = useRef<HTMLDivElement>(null);
  const closing = useRef(onClose);
  closing.current = onClose;
  useEffect(() => {
    const opener = openerNow();
    const entry = { close: () => closing.current() };
    if (!stack.length) addEventListener("keydown", onKey);
    stack.push(entry);
    const el = box.current!;
    if (!el.contains(document.activeElement)) firstOf(el, modal).focus();
    return () => {
      stack.splice(stack.indexOf(entry), 1);
      if (!stack.length) removeEventListener("keydown", onKey);
      if (
        opener?.isConnected &&
        (el.contains(document.activeElement) || document.activeElement === document.body)
      )
        opener.focus();
    };
  }, [modal]);
  const trap = (event: React.KeyboardEvent) => {
    if (event.key !== "Tab" || !modal) return;
    const all = focusables(box.current!);
    const edge = event.shiftKey ? all[0] : all.at(-1);
    if (document.activeElement !== edge && document.activeElement !== box.current) return;
    if (document.activeElement === box.current && !event.shiftKey) return;
    event.preventDefault();
    (event.shiftKey ? all.at(-1) : all[0])?.focus();
  };
  return createPortal(
    <>
      {/* the second press of a double click falls on what the first has opened */}
      {modal && <div className="scrim" onMouseDown={({ detail }) => detail < 2 && closing.current()} />}
      <div
        ref={box}
        className={`layer ${className}`}
        role="dialog"
        aria-label={label}
        aria-modal={modal || undefined}
        tabIndex={-1}
        onKeyDown={trap}
      >
        {children}
      </div>
    </>,
    document.body,
  );
}
