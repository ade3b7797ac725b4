import { Input, Select } from "antd";
import type { ClipboardEvent, KeyboardEvent } from "react";
import type { InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { cleaned, plainWrong } from "../template/html.rules.ts";
import type { DocKind } from "../template/doc-kind.rules.ts";
import { type Palette, paletteOf } from "../template/palette.rules.ts";
import { usePaper } from "./paper.form.tsx";
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

type Group = readonly [title: string, names: readonly string[], html: (name: string) => string];
const groupsOf = ({ texts, clauses, tables, signs }: Palette): Group[] => {
  const all: Group[] = [
    ...Object.entries(texts).map(([title, names]): Group => [title, names, FIELD]),
    ["条款", clauses, FIELD],
    ["表格", tables, TABLE],
    ["签章", signs, FIELD],
  ];
  return all.filter(([, names]) => names.length);
};

/** The text of a template on its paper, the tools above it and the palette of fields beside it. */
export function WordingInput({ value, onChange, id, docKind }: InputProps<string> & { docKind: DocKind }) {
  const palette = paletteOf(docKind);
  const { paper, no, setNo, typed, command, insert, table, number, step } = usePaper(
    value ?? "",
    shownHtml,
    onChange,
  );
  const paste = (event: ClipboardEvent) => {
    event.preventDefault();
    const html = event.clipboardData.getData("text/html");
    const text = event.clipboardData.getData("text/plain");
    // looked at first: a browser takes minutes to lay out what is refused afterwards
    const wrong = html ? cleaned(html).wrong : plainWrong(text);
    if (wrong) toast(wrong, "error");
    else if (html) insert(shownHtml(html));
    else document.execCommand("insertText", false, text);
  };
  const undoes = (event: KeyboardEvent) => {
    const key = event.key.toLowerCase();
    if (!(event.ctrlKey || event.metaKey) || (key !== "z" && key !== "y")) return;
    event.preventDefault();
    step(key === "y" || event.shiftKey ? 1 : -1);
  };

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
          ] as const
        ).map(([label, name, argument]) => (
          <Button key={label} size="sm" run={() => command(name, argument)}>
            {label}
          </Button>
        ))}
        <Button size="sm" run={() => step(-1)}>
          撤销
        </Button>
        <Button size="sm" run={() => step(1)}>
          重做
        </Button>
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
          disabled={!Object.keys(palette.conditions).length}
          value={null}
          popupMatchSelectWidth={260}
          options={Object.entries(palette.conditions).map(([name, text]) => ({
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
        onInput={typed}
        onKeyDown={undoes}
        onPaste={paste}
        onDrop={(event) => event.preventDefault()}
      />
      <div className="tpl__palette">
        <span className="dim fs-12">点选后插入到光标处</span>
        {groupsOf(palette).map(([title, names, html]) => (
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
