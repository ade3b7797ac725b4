import { Input, Select } from "antd";
import { type ClipboardEvent, useEffect, useRef, useState } from "react";
import type { InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { cleaned } from "../template/html.rules.ts";
import {
  CLAUSE_FIELDS,
  CONDITIONS,
  SIGN_FIELDS,
  TABLE_FIELDS,
  TEXT_FIELDS,
} from "../template/palette.rules.ts";
import "./template.css";

/** Clean HTML as it is looked at and written in: what is named shows its name and is one piece for the caret. */
export const shownHtml = (html: string): string =>
  cleaned(html)
    .html.replace(
      /<span data-field="([^"]+)"( data-anchor="[^"]+")?><\/span>/g,
      '<span data-field="$1"$2 contenteditable="false">$1</span>',
    )
    .replace(/<div data-table="([^"]+)"><\/div>/g, '<div data-table="$1" contenteditable="false">$1</div>');

const FIELD = (name: string) => `<span data-field="${name}" contenteditable="false">${name}</span>`;
const TABLE = (name: string) => `<div data-table="${name}" contenteditable="false">${name}</div><p><br></p>`;
const row = "<tr><td><br></td><td><br></td></tr>";
const GRID = `<table>${row.repeat(2)}</table><p><br></p>`;

const GROUPS: readonly (readonly [
  title: string,
  names: readonly string[],
  html: (name: string) => string,
])[] = [
  ...Object.entries(TEXT_FIELDS).map(([title, names]) => [title, names, FIELD] as const),
  ["条款", CLAUSE_FIELDS, FIELD],
  ["表格", TABLE_FIELDS, TABLE],
  ["签章", SIGN_FIELDS, FIELD],
];

const elementAt = (range: Range | undefined): Element | undefined => {
  const node = range?.startContainer;
  return (node instanceof Element ? node : node?.parentElement) ?? undefined;
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

/** The text of a template on its paper, the tools above it and the palette of fields beside it. */
export function WordingInput({ value, onChange, id }: InputProps<string>) {
  const paper = useRef<HTMLDivElement>(null);
  const range = useRef<Range>(undefined);
  const [no, setNo] = useState("");
  const [first] = useState(() => shownHtml(value ?? ""));

  useEffect(() => {
    // the paper is written by the browser alone: React would put the caret at its beginning
    paper.current!.innerHTML = first;
    document.execCommand("defaultParagraphSeparator", false, "p");
    const remember = () => {
      const selection = getSelection();
      if (!selection?.rangeCount || !paper.current?.contains(selection.anchorNode)) return;
      range.current = selection.getRangeAt(0).cloneRange();
      const block = elementAt(range.current)?.closest("p,h1,h2,h3");
      setNo(block?.getAttribute("data-anchor") ?? "");
    };
    document.addEventListener("selectionchange", remember);
    return () => document.removeEventListener("selectionchange", remember);
  }, [first]);

  const changed = () => onChange(paper.current!.innerHTML);
  /** The caret where it was before a button was pressed; at the end of the text where it was nowhere. */
  const back = () => {
    paper.current!.focus();
    const selection = getSelection()!;
    selection.removeAllRanges();
    const end = document.createRange();
    end.selectNodeContents(paper.current!);
    end.collapse(false);
    selection.addRange(
      range.current && paper.current!.contains(range.current.startContainer) ? range.current : end,
    );
  };
  const command = (name: string, argument?: string) => {
    back();
    document.execCommand(name, false, argument);
    changed();
  };
  const insert = (html: string) => command("insertHTML", html);
  const table = (what: "row" | "column", more: boolean) => {
    back();
    if (changeTable(elementAt(range.current), what, more)) changed();
    else toast("请先把光标放到表格里", "warning");
  };
  const number = () => {
    const block = elementAt(range.current)?.closest("p,h2,h3");
    if (!block || !paper.current!.contains(block)) return toast("请先把光标放到段落里", "warning");
    if (no.trim()) block.setAttribute("data-anchor", no.trim());
    else block.removeAttribute("data-anchor");
    changed();
  };
  const paste = (event: ClipboardEvent) => {
    event.preventDefault();
    const html = event.clipboardData.getData("text/html");
    if (!html) return insertText(event.clipboardData.getData("text/plain"));
    const { wrong } = cleaned(html);
    if (wrong) toast(wrong, "error");
    else insert(shownHtml(html));
  };
  const insertText = (text: string) => document.execCommand("insertText", false, text);

  return (
    <div className="tpl grid gap-6">
      <div className="tpl__tools row wrap gap-2" role="toolbar" aria-label="排版">
        {(
          [
            ["标题", "formatBlock", "h1"],
            ["小标题", "formatBlock", "h2"],
            ["正文", "formatBlock", "p"],
            ["加粗", "bold"],
            ["居左", "justifyLeft"],
            ["居中", "justifyCenter"],
            ["居右", "justifyRight"],
            ["项目", "insertUnorderedList"],
            ["编号列表", "insertOrderedList"],
            ["撤销", "undo"],
            ["重做", "redo"],
          ] as const
        ).map(([label, name, argument]) => (
          <Button key={label} size="sm" run={() => command(name, argument)}>
            {label}
          </Button>
        ))}
        <Button size="sm" run={() => insert(GRID)}>
          表格
        </Button>
        <Button size="sm" run={() => table("row", true)}>
          加行
        </Button>
        <Button size="sm" run={() => table("row", false)}>
          删行
        </Button>
        <Button size="sm" run={() => table("column", true)}>
          加列
        </Button>
        <Button size="sm" run={() => table("column", false)}>
          删列
        </Button>
        <Button size="sm" run={() => insert("<hr><p><br></p>")}>
          分页
        </Button>
        <Select
          size="small"
          aria-label="条件块"
          placeholder="条件块"
          value={null}
          popupMatchSelectWidth={260}
          options={Object.entries(CONDITIONS).map(([name, text]) => ({
            value: name,
            label: `${name}：${text}`,
          }))}
          onChange={(name) => insert(`<div data-if="${name}"><p><br></p></div><p><br></p>`)}
          style={{ width: 96 }}
        />
        <Input
          size="small"
          aria-label="条款编号"
          placeholder="条款编号"
          title="光标所在段落的编号，结算时可引用；留空为无编号"
          value={no}
          maxLength={10}
          onChange={(event) => setNo(event.target.value)}
          onPressEnter={(event) => {
            event.preventDefault();
            number();
          }}
          onBlur={number}
          style={{ width: 96 }}
        />
      </div>
      <div
        ref={paper}
        id={id}
        className="tpl__paper"
        contentEditable
        suppressContentEditableWarning
        role="textbox"
        aria-multiline
        aria-label="正文"
        onInput={changed}
        onPaste={paste}
        onDrop={(event) => event.preventDefault()}
      />
      <div className="tpl__palette">
        <span className="dim fs-12">点选后插入到光标处</span>
        {GROUPS.map(([title, names, html]) => (
          <section key={title} aria-label={title}>
            <h4>{title}</h4>
            <div className="row wrap gap-2">
              {names.map((name) => (
                <button key={name} type="button" onClick={() => insert(html(name))}>
                  {name}
                </button>
              ))}
            </div>
          </section>
        ))}
      </div>
    </div>
  );
}
