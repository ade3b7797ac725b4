import { type FormEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { toast } from "../../../platform/console/parts/toast.ts";

const elementAt = (range: Range | undefined): Element | undefined => {
  const node = range?.startContainer;
  return (node instanceof Element ? node : node?.parentElement) ?? undefined;
};

const blockAt = (range: Range | undefined) => elementAt(range)?.closest("p,h2,h3") ?? undefined;
/** The block of the caret that stands on the paper itself or under a condition. */
const outerAt = (range: Range, root: Element): Element | undefined => {
  let at = elementAt(range);
  while (at && at !== root && at.parentElement !== root && !at.parentElement?.hasAttribute("data-if"))
    at = at.parentElement ?? undefined;
  return at === root ? undefined : at;
};

/** Adds or takes a row or a column at the cell of the caret; false where the caret is in none. */
function changeTable(at: Element | undefined, what: "row" | "column", more: boolean): boolean {
  const cell = at?.closest<HTMLTableCellElement>("td,th");
  const table = cell?.closest("table");
  if (!cell || !table) return false;
  const { rowIndex } = cell.parentElement as HTMLTableRowElement;
  const fresh = (tr: HTMLTableRowElement, index: number) => {
    tr.insertCell(index).append(document.createElement("br"));
  };
  if (what === "row" && more) {
    const tr = table.insertRow(rowIndex + 1);
    for (let i = 0; i < table.rows[rowIndex]!.cells.length; i++) fresh(tr, i);
  } else if (what === "row") table.deleteRow(rowIndex);
  else {
    const { cellIndex } = cell;
    for (const tr of table.rows)
      if (more) fresh(tr, Math.min(cellIndex + 1, tr.cells.length));
      else if (cellIndex < tr.cells.length) tr.deleteCell(cellIndex);
  }
  if (![...table.rows].some((tr) => tr.cells.length)) table.remove();
  return true;
}

type Moment = { html: string; caret: number };
const STEPS = 100;
/** Letters typed in one go are taken back in one go. */
const TOGETHER_MS = 800;

/** How many letters stand before the caret. */
function caretIn(root: Element, range: Range | undefined): number {
  if (!range || !root.contains(range.startContainer)) return 0;
  const before = document.createRange();
  before.selectNodeContents(root);
  before.setEnd(range.startContainer, range.startOffset);
  return before.toString().length;
}

function putCaret(root: Element, caret: number): void {
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  let left = caret;
  const range = document.createRange();
  range.selectNodeContents(root);
  range.collapse(false);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const { length } = node as Text;
    if (left <= length) {
      range.setStart(node, left);
      range.collapse(true);
      break;
    }
    left -= length;
  }
  const selection = getSelection()!;
  selection.removeAllRanges();
  selection.addRange(range);
}

/**
 * A paper that is written on. The browser forgets what it could undo once a script changes the text, so every moment is
 * kept here. `tell` is told the HTML as it stands; a `value` that it was not told came from elsewhere and is laid on the paper.
 */
export function usePaper(value: string, shown: (html: string) => string, tell: (html: string) => void) {
  const paper = useRef<HTMLDivElement>(null);
  const range = useRef<Range>(undefined);
  const past = useRef<{ all: Moment[]; at: number; last: number }>({ all: [], at: 0, last: 0 });
  const told = useRef<string>(undefined);
  const [no, setNo] = useState("");

  const lay = useEffectEvent((html: string) => {
    if (html === told.current) return;
    told.current = html;
    // the paper is written by the browser alone: React would put the caret at its beginning
    paper.current!.innerHTML = shown(html);
    past.current = { all: [{ html: paper.current!.innerHTML, caret: 0 }], at: 0, last: 0 };
    range.current = undefined;
    document.execCommand("defaultParagraphSeparator", false, "p");
  });
  useEffect(() => lay(value), [value]);
  const onChange = (html: string) => {
    told.current = html;
    tell(html);
  };
  const remember = useEffectEvent(() => {
    const selection = getSelection();
    if (!selection?.rangeCount || !paper.current?.contains(selection.anchorNode)) return;
    range.current = selection.getRangeAt(0).cloneRange();
    setNo(blockAt(range.current)?.getAttribute("data-anchor") ?? "");
  });
  useEffect(() => {
    const seen = () => remember();
    document.addEventListener("selectionchange", seen);
    return () => document.removeEventListener("selectionchange", seen);
  }, []);

  const changed = (typing = false) => {
    const html = paper.current!.innerHTML;
    const { all, at, last } = past.current;
    const selection = getSelection();
    const caret = caretIn(paper.current!, selection?.rangeCount ? selection.getRangeAt(0) : undefined);
    const now = Date.now();
    const kept = all.slice(0, typing && at > 0 && now - last < TOGETHER_MS ? at : at + 1).slice(-STEPS);
    past.current = { all: [...kept, { html, caret }], at: kept.length, last: typing ? now : 0 };
    onChange(html);
  };
  const step = (by: 1 | -1) => {
    const { all, at } = past.current;
    const moment = all[at + by];
    if (!moment) return;
    past.current = { all, at: at + by, last: 0 };
    paper.current!.innerHTML = moment.html;
    paper.current!.focus({ preventScroll: true });
    putCaret(paper.current!, moment.caret);
    onChange(moment.html);
  };
  /** The caret where it was before a button was pressed; at the end of the text where it was nowhere. */
  const back = (): Range => {
    paper.current!.focus({ preventScroll: true });
    const selection = getSelection()!;
    const known = range.current && paper.current!.contains(range.current.startContainer);
    if (known) {
      selection.removeAllRanges();
      selection.addRange(range.current!);
    } else putCaret(paper.current!, Number.MAX_SAFE_INTEGER);
    return selection.getRangeAt(0);
  };
  const command = (name: string, argument?: string) => {
    back();
    document.execCommand(name, false, argument);
    changed();
  };
  /** Inline pieces go in at the caret, blocks behind the block that it is in. */
  const insert = (html: string) => {
    const at = back();
    const content = document.createRange().createContextualFragment(html);
    const blocks = [...content.children].some((el) => /^(P|H[1-3]|UL|OL|TABLE|HR|DIV)$/.test(el.tagName));
    const last = content.lastChild;
    if (!last) return;
    at.deleteContents();
    const block = blocks && outerAt(at, paper.current!);
    if (block) block.after(content);
    else at.insertNode(content);
    const selection = getSelection()!;
    selection.removeAllRanges();
    const next = document.createRange();
    if (blocks) next.selectNodeContents(last);
    else next.setStartAfter(last);
    next.collapse(blocks);
    selection.addRange(next);
    range.current = next.cloneRange();
    changed();
  };
  const table = (what: "row" | "column", more: boolean) => {
    if (changeTable(elementAt(back()), what, more)) changed();
    else toast("请先把光标放到表格里", "warning");
  };
  /** Numbers the paragraph of the caret. */
  const number = () => {
    const block = blockAt(range.current);
    if (!block || !paper.current!.contains(block)) {
      if (no.trim()) toast("请先把光标放到段落里", "warning");
      return;
    }
    if ((block.getAttribute("data-anchor") ?? "") === no.trim()) return;
    if (no.trim()) block.setAttribute("data-anchor", no.trim());
    else block.removeAttribute("data-anchor");
    changed();
  };
  const typed = (event: FormEvent) => {
    // a new paragraph is a copy of the one before, its number is its own
    const { inputType } = event.nativeEvent as InputEvent;
    if (inputType === "insertParagraph") {
      const selection = getSelection();
      blockAt(selection?.rangeCount ? selection.getRangeAt(0) : undefined)?.removeAttribute("data-anchor");
      setNo("");
    }
    changed(inputType.startsWith("insertText") || inputType === "insertCompositionText");
  };
  return { paper, no, setNo, typed, command, insert, table, number, step };
}
