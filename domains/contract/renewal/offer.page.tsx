import { yuan } from "../../../platform/kernel/fen.ts";
import { ask, button, h, textOf } from "../esign/dom.panel.tsx";
import { isOver, type Linked, linkPage, refusing } from "../esign/link-page.panel.tsx";

type Page = Linked & { enterprise: string; name: string; answered: boolean };
type Choice = { months: number; start: string; end: string; rent: number; first: number; deposit: number };
type Result = { signPath: string | null; text: string };
type Offer = {
  roomNames: string;
  end: string;
  rent: number;
  held: number;
  expiresAt: string;
  choices: Choice[];
  result: Result | null;
};
/** Of one that has run out only the answer is left. */
type Opened = Offer | { result: Result };

/** The page of an offer to renew: the tenant names the last four characters, chooses a term or says no. */
export default async function offerPage(root: HTMLElement, token: string): Promise<void> {
  const code = `o/${encodeURIComponent(token)}`;
  document.title = "续租方案";
  const { show, failed, start } = linkPage(root, "如有疑问，请联系您的管家。");
  const finished = ({ signPath, text }: Result) =>
    show(
      h("h1", { class: "sg__head" }, "已收到您的答复"),
      h("p", {}, text),
      ...(signPath
        ? [button("去签署", () => location.assign(signPath), "btn btn--lg btn--main")]
        : [h("p", { class: "sub" }, "您可以关闭本页。")]),
    );

  const choose = (page: Page, last4: string, offer: Opened) => {
    if (!("choices" in offer)) return finished(offer.result);
    if (offer.result) return finished(offer.result);
    const said = h("p", { class: "sg__wrong fs-13", role: "alert" });
    const boxes = offer.choices.map((c, i) => {
      const radio = h("input", { type: "radio", name: "choice", id: `c${i}`, value: i, class: "sg__tick" });
      const more = c.deposit > 0 ? `（含补交押金 ${yuan(c.deposit)} 元）` : "";
      return {
        radio,
        box: h(
          "label",
          { class: "sg__card row", for: `c${i}` },
          radio,
          h(
            "span",
            { class: "stack gap-2" },
            h("b", {}, `${c.months} 个月，每月 ${yuan(c.rent)} 元`),
            h("span", { class: "fs-13 sub" }, `${c.start} 至 ${c.end}`),
            h("span", { class: "fs-13 sub" }, `签约应付 ${yuan(c.first)} 元${more}`),
          ),
        ),
      };
    });
    if (boxes.length === 1) boxes[0]!.radio.checked = true;
    const answer = async (path: string, body: object) =>
      finished(await ask<Result>("POST", `${code}/${path}`, { last4, ...body }));
    const agree = button(
      "选择并签署",
      async () => {
        const chosen = boxes.findIndex((b) => b.radio.checked);
        said.textContent = chosen < 0 ? "请选择一个续租方案" : "";
        if (chosen < 0) return;
        try {
          await answer("choose", { choice: chosen });
        } catch (error) {
          if (isOver(error)) return failed(error);
          said.textContent = textOf(error);
        }
      },
      "btn btn--lg btn--main",
    );
    const no = refusing({
      word: "不续租",
      title: "不续租的原因",
      ok: "确认不续租",
      missing: "请填写原因（2-200字）",
      send: (reason) => answer("decline", { reason }),
      failed,
    });
    const facts = [
      ["房间", offer.roomNames],
      ["到期日", offer.end],
      ["现月租", `${yuan(offer.rent)} 元`],
      ["在管押金", `${yuan(offer.held)} 元，抵作新合同押金，多退少补`],
    ] as const;
    show(
      h("h1", { class: "sg__head" }, `${page.enterprise}续租方案`),
      h(
        "section",
        { class: "sg__card", "aria-label": "现在的合同" },
        h(
          "dl",
          { class: "sg__pairs" },
          ...facts.flatMap(([title, value]) => [h("dt", { class: "sub" }, title), h("dd", {}, value)]),
        ),
      ),
      h(
        "fieldset",
        { class: "sg__hand stack gap-6" },
        h("legend", {}, "请选择续租方案"),
        ...boxes.map((b) => b.box),
      ),
      said,
      agree,
      ...no,
    );
  };

  await start<Page>(code, {
    heading: (page) => `${page.enterprise}邀请您续租`,
    who: (page) => `承租人：${page.name}`,
    open: (page) => (page.answered ? "查看答复" : "查看方案"),
    enter: async (page, last4) => choose(page, last4, await ask<Opened>("POST", `${code}/open`, { last4 })),
  });
}
