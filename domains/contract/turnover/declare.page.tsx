import { AMOUNT_MAX, TOO_LARGE, parseYuan, yuan } from "../../../platform/kernel/fen.ts";
import { Refused, ask, button, field, h, textOf, upload } from "../esign/dom.panel.tsx";
import { isOver, linkPage } from "../esign/link-page.panel.tsx";

type Page = { enterprise: string; month: string; merchant: string; last4Of: "certificate" | "creditCode" };
type Paper = { id: number; name: string };
type Figures = { gross: number; refunds: number; excluded: number };
type Month = {
  roomNames: string;
  contractNo: string;
  from: string;
  to: string;
  excludes: string;
  reason: string;
  standing: (Figures & { net: number; note: string }) | null;
  papers: Paper[];
  why: string | null;
};

const INPUTS = [
  ["gross", "营业额（元）"],
  ["refunds", "退货（元）"],
  ["excluded", "不计入金额（元）"],
] as const;

const pairs = (...rows: (readonly [string, string])[]) =>
  h(
    "dl",
    { class: "sg__pairs" },
    ...rows.flatMap(([title, value]) => [h("dt", { class: "sub" }, title), h("dd", {}, value)]),
  );

/** The page of a month's link: the merchant names the last four characters and declares what the shop sold. */
export default async function declarePage(root: HTMLElement, token: string): Promise<void> {
  document.title = "营业额申报";
  const code = `d/${encodeURIComponent(token)}`;
  const { show, failed, start } = linkPage(root, "如有疑问，请联系您的管家。");

  const over = (said: string) =>
    show(h("h1", { class: "sg__head" }, said), h("p", { class: "sub" }, "您可以关闭本页。"));

  const month = (page: Page, last4: string, of: Month) =>
    show(
      h("h1", { class: "sg__head" }, `${page.month} 营业额申报`),
      h(
        "section",
        { class: "sg__card", "aria-label": "铺位" },
        pairs(
          ["铺位", of.roomNames],
          ["月份", `${of.from} 至 ${of.to}`],
          ["合同号", of.contractNo],
          ...(of.excludes ? [["不计入", of.excludes] as const] : []),
        ),
      ),
      ...(of.why ? [declared(of, of.why)] : [declaring(last4, of)]),
    );

  const declared = ({ standing }: Month, why: string) =>
    h(
      "section",
      { class: "sg__card stack gap-6", "aria-label": "申报" },
      h("p", {}, why),
      ...(standing
        ? [
            pairs(
              ["营业额", `${yuan(standing.gross)} 元`],
              ["退货", `${yuan(standing.refunds)} 元`],
              ["不计入", `${yuan(standing.excluded)} 元`],
              ["净额", `${yuan(standing.net)} 元`],
            ),
          ]
        : []),
    );

  /** Slips and exports of the till; each is sent when it is chosen. */
  const papersBox = (last4: string, brought: Paper[]) => {
    const id = "papers";
    const papers = [...brought];
    const wrong = h("p", { class: "sg__wrong fs-13", id: `${id}-wrong`, role: "alert" });
    const list = h("ul", { class: "stack gap-3", "aria-label": "附件" });
    const input = h("input", {
      id,
      type: "file",
      accept: "image/jpeg,image/png,application/pdf",
      multiple: true,
      hidden: true,
      "aria-describedby": `${id}-wrong`,
    });
    const fault = (error: unknown, name: string): void => {
      if (isOver(error)) return failed(error);
      wrong.textContent = `${name}：${error instanceof Refused ? (error.fields[0]?.msg ?? error.message) : textOf(error)}`;
    };
    const remove = (paper: Paper) => {
      const removes = button(
        "移除",
        async () => {
          wrong.textContent = "";
          try {
            await ask("POST", `${code}/file/remove`, { last4, id: paper.id });
            if (papers.includes(paper)) papers.splice(papers.indexOf(paper), 1);
            draw();
            add.focus();
          } catch (error) {
            fault(error, paper.name);
          }
        },
        "btn btn--text",
      );
      removes.setAttribute("aria-label", `移除 ${paper.name}`);
      return h("li", { class: "row between" }, h("span", {}, paper.name), removes);
    };
    const draw = () => list.replaceChildren(...papers.map(remove));
    const bring = async (): Promise<void> => {
      wrong.textContent = "";
      input.disabled = true;
      for (const file of [...(input.files ?? [])])
        try {
          papers.push(await upload<Paper>(`${code}/file`, file, { last4 }));
          draw();
        } catch (error) {
          fault(error, file.name);
          break;
        }
      input.disabled = false;
      input.value = "";
    };
    let bringing = Promise.resolve();
    input.addEventListener("change", () => void (bringing = bring()));
    draw();
    const label = h("label", { for: id }, "附件（选填，图片或PDF，最多10个）");
    const add = button("添加附件", () => input.click());
    const brings = async () => {
      await bringing;
      return papers.map((paper) => paper.id);
    };
    return { box: h("div", { class: "stack gap-3" }, label, input, list, add, wrong), brings };
  };

  const declaring = (last4: string, { standing, reason, papers: brought }: Month): HTMLElement => {
    const said = h("p", { class: "sg__wrong fs-13", role: "alert" });
    const total = h("p", { role: "status" });
    const fields = INPUTS.map(([key, label]) => {
      const at = field(label, {
        inputmode: "decimal",
        autocomplete: "off",
        maxlength: 14,
        required: key === "gross",
        ...(standing && { value: yuan(standing[key], false) }),
      });
      at.input.addEventListener("input", () => net());
      return { key, label, ...at };
    });
    const note = field("备注（选填）", { maxlength: 200, ...(standing?.note && { value: standing.note }) });
    const { box: papersAt, brings } = papersBox(last4, brought);
    /** What was typed in fen, null where it is no amount. */
    const fenOf = (text: string): number | null => {
      const plain = text.replaceAll(",", "").trim();
      if (!/^\d{1,9}(\.\d{1,2})?$/.test(plain)) return plain === "" ? 0 : null;
      return parseYuan(plain);
    };
    const typed = () => {
      const [gross, refunds, excluded] = fields.map((f) => fenOf(f.input.value)) as (number | null)[];
      return { gross: gross ?? null, refunds: refunds ?? null, excluded: excluded ?? null };
    };
    const net = () => {
      const { gross, refunds, excluded } = typed();
      const whole = gross !== null && refunds !== null && excluded !== null;
      total.textContent = whole ? `净额 ${yuan(gross - refunds - excluded)} 元` : "";
    };
    const wrong = (key: string, text: string): undefined => {
      const at = fields.find((f) => f.key === key)!;
      at.wrong(text);
      at.input.focus();
      return undefined;
    };
    const check = (): Figures | undefined => {
      const { gross, refunds, excluded } = typed();
      for (const { key, input } of fields) {
        const fen = { gross, refunds, excluded }[key];
        if (fen === null) return wrong(key, "请输入正确的金额，最多两位小数");
        if (fen > AMOUNT_MAX) return wrong(key, TOO_LARGE);
        if (key === "gross" && !input.value.trim()) return wrong(key, "请输入营业额，没有营业填 0");
      }
      if (gross! - refunds! - excluded! < 0) return wrong("gross", "净额不能为负");
      return { gross: gross!, refunds: refunds!, excluded: excluded! };
    };
    net();
    const submit = button(
      "提交申报",
      async () => {
        said.textContent = "";
        const figures = check();
        if (!figures) return;
        try {
          const sent = {
            last4,
            ...figures,
            note: note.input.value.trim(),
            papers: await brings(),
          };
          over((await ask<{ said: string }>("POST", `${code}/declare`, sent)).said);
        } catch (error) {
          if (isOver(error)) return failed(error);
          said.textContent =
            error instanceof Refused ? (error.fields[0]?.msg ?? error.message) : textOf(error);
        }
      },
      "btn btn--lg btn--main",
    );
    return h(
      "section",
      { class: "sg__card stack gap-6", "aria-label": "申报" },
      ...(reason ? [h("p", { class: "sg__wrong" }, `退回更正：${reason}`)] : []),
      ...fields.map((f) => f.box),
      total,
      note.box,
      papersAt,
      said,
      submit,
    );
  };

  await start<Page>(code, {
    heading: (page) => `${page.enterprise}请您申报 ${page.month} 营业额`,
    who: (page) => `商户：${page.merchant}`,
    open: () => "开始申报",
    enter: async (page, last4) => month(page, last4, await ask<Month>("POST", `${code}/open`, { last4 })),
  });
}
