import { h } from "./dom.panel.tsx";

type Run = { text: string; strong?: boolean };
export type Block = {
  kind:
    | "title"
    | "heading"
    | "text"
    | "note"
    | "rich"
    | "pairs"
    | "table"
    | "grid"
    | "signatures"
    | "break"
    | "appendix";
  text?: string;
  runs?: Run[];
  mark?: string;
  cells?: Run[][];
  pairs?: string[][];
  columns?: { title: string; right?: boolean }[];
  rows?: string[][];
  sums?: string[];
  sides?: { role: string; name: string }[];
  date?: string;
};

/** The paper as text of the page, from the same source as the file: it can be read aloud, searched and enlarged. */
export function paperOf(blocks: readonly Block[], label = "合同正文"): HTMLElement {
  return h("article", { class: "sg__paper stack gap-5", "aria-label": label }, ...blocks.map(blockOf));
}

function blockOf(b: Block): HTMLElement | undefined {
  switch (b.kind) {
    case "title":
      return h("h2", { class: "sg__title" }, b.text);
    case "heading":
      return h("h3", {}, b.text);
    case "text":
      return h("p", {}, b.text);
    case "note":
      return h("p", { class: "fs-13 dim" }, b.text);
    case "pairs":
      return h(
        "dl",
        { class: "sg__pairs" },
        ...(b.pairs ?? []).flatMap(([label, value]) => [
          h("dt", { class: "sub" }, label),
          h("dd", {}, value),
        ]),
      );
    case "signatures":
      return h(
        "dl",
        { class: "sg__pairs" },
        ...(b.sides ?? []).flatMap(({ role, name }) => [h("dt", { class: "sub" }, role), h("dd", {}, name)]),
        h("dt", { class: "sub" }, "日期"),
        h("dd", {}, b.date),
      );
    case "rich":
      return h("p", {}, b.mark ? `${b.mark} ` : undefined, ...(b.runs ?? []).map(runOf));
    case "grid":
      return framed(
        "合同表格，可左右滑动",
        h(
          "tbody",
          {},
          ...(b.cells ?? []).map((row) => h("tr", {}, ...row.map((cell) => h("td", {}, runOf(cell))))),
        ),
      );
    case "table":
      return tableOf(b);
    case "break":
      return undefined;
    case "appendix":
      return h("hr", {});
  }
}

const runOf = ({ text, strong }: Run) => (strong ? h("strong", {}, text) : text);

/** Wider than a phone: it is moved sideways within its frame, also by the keyboard. */
const framed = (label: string, ...parts: (HTMLElement | undefined)[]): HTMLElement =>
  h(
    "div",
    { class: "sg__table", tabindex: 0, role: "region", "aria-label": label },
    h("table", {}, ...parts),
  );

function tableOf({ columns = [], rows = [], sums }: Block): HTMLElement {
  const cells = (tag: "td" | "th", texts: readonly string[]) =>
    texts.map((text, i) =>
      h(tag, { class: columns[i]?.right ? "num" : undefined, scope: tag === "th" ? "col" : undefined }, text),
    );
  const heads = cells(
    "th",
    columns.map((c) => c.title),
  );
  return framed(
    "合同附表，可左右滑动",
    h("thead", {}, h("tr", {}, ...heads)),
    h("tbody", {}, ...rows.map((row) => h("tr", {}, ...cells("td", row)))),
    sums && h("tfoot", {}, h("tr", {}, ...cells("td", sums))),
  );
}
