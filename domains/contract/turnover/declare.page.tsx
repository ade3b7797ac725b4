import { AMOUNT_MAX, TOO_LARGE, parseYuan, yuan } from "../../../platform/kernel/fen.ts";
import { Refused, ask, button, field, h, textOf, upload } from "../esign/dom.panel.tsx";
import { isOver, linkPage } from "../esign/link-page.panel.tsx";

type Page = { enterprise: string; months: string[]; merchant: string; last4Of: "certificate" | "creditCode" };
type Paper = { id: number; name: string };
type Figures = { gross: number; refunds: number; excluded: number };
type Month = {
  no: number;
  month: string;
  from: string;
  to: string;
  reason: string;
  standing: (Figures & { net: number; note: string }) | null;
  papers: Paper[];
  why: string | null;
};
type Shop = { roomNames: string; contractNo: string; excludes: string; months: Month[] };

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

/** Many months by the first and the last. */
const span = (months: readonly string[]): string =>
  months.length > 2 ? `${months[0]} 至 ${months.at(-1)} 共 ${months.length} 个月` : months.join("、");

/** The page of a link: the merchant names the last four characters and declares month by month what the shop sold. */
export default async function declarePage(root: HTMLElement, token: string): Promise<void> {
  document.title = "营业额申报";
  const code = `d/${encodeURIComponent(token)}`;
  const { show, failed, start } = linkPage(root, "如有疑问，请联系您的管家。");

  /** After a month: on to those that are left, or done. */
  const over = (said: string, last4: string, left: number) =>
    show(
      h("h1", { class: "sg__head" }, said),
      ...(left
        ? [
            h("p", { class: "sub" }, `还有 ${left} 个月份待申报。`),
            button("继续申报", () => again(last4), "btn btn--lg btn--main"),
          ]
        : [h("p", { class: "sub" }, "您可以关闭本页。")]),
    );

  const enter = async (last4: string): Promise<void> => {
    const shop = await ask<Shop>("POST", `${code}/open`, { last4 });
    if (shop.months.length === 1) return month(last4, shop, shop.months[0]!);
    list(last4, shop);
  };
  const again = (last4: string): Promise<void> =>
    enter(last4).catch((error: unknown) => failed(error, () => void again(last4)));

  /** All months of the link; each opens its own form. */
  const list = (last4: string, shop: Shop) =>
    show(
      h("h1", { class: "sg__head" }, `${shop.roomNames} 营业额申报`),
      h("p", { class: "sub" }, `合同号 ${shop.contractNo}，请逐月申报。`),
      h(
        "ul",
        { class: "sg__card stack gap-6", "aria-label": "月份" },
        ...shop.months.map((of) => {
          const state = of.why
            ? of.standing
              ? `已申报，净额 ${yuan(of.standing.net)} 元`
              : "已申报"
            : of.reason
              ? "退回更正"
              : "待申报";
          const opens = button(of.why ? "查看" : "申报", () => month(last4, shop, of), "btn");
          opens.setAttribute("aria-label", `${of.why ? "查看" : "申报"} ${of.month}`);
          return h(
            "li",
            { class: "row between" },
            h("span", {}, `${of.month} `, h("span", { class: "sub" }, state)),
            opens,
          );
        }),
      ),
    );

  const month = (last4: string, shop: Shop, of: Month) =>
    show(
      h("h1", { class: "sg__head" }, `${of.month} 营业额申报`),
      h(
        "section",
        { class: "sg__card", "aria-label": "铺位" },
        pairs(
          ["铺位", shop.roomNames],
          ["月份", `${of.from} 至 ${of.to}`],
          ["合同号", shop.contractNo],
          ...(shop.excludes ? [["不计入", shop.excludes] as const] : []),
        ),
      ),
      ...(of.why
        ? [declared(of, of.why)]
        : [declaring(last4, of, shop.months.filter((m) => !m.why && m !== of).length)]),
      ...(shop.months.length > 1
        ? [button("返回全部月份", () => again(last4), "btn btn--lg btn--text")]
        : []),
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
  const papersBox = (last4: string, { no: monthNo, papers: brought }: Month) => {
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
            await ask("POST", `${code}/file/remove`, { last4, monthNo, id: paper.id });
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
          papers.push(await upload<Paper>(`${code}/file`, file, { last4, monthNo: String(monthNo) }));
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

  /** The form of a month, beside which so many others are left. */
  const declaring = (last4: string, of: Month, left: number): HTMLElement => {
    const { standing, reason } = of;
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
    const { box: papersAt, brings } = papersBox(last4, of);
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
            monthNo: of.no,
            ...figures,
            note: note.input.value.trim(),
            papers: await brings(),
          };
          over((await ask<{ said: string }>("POST", `${code}/declare`, sent)).said, last4, left);
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
    heading: (page) => `${page.enterprise}请您申报 ${span(page.months)} 营业额`,
    who: (page) => `商户：${page.merchant}`,
    open: () => "开始申报",
    enter: (_, last4) => enter(last4),
  });
}
