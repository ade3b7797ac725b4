import { Refused, ask, button, field, h } from "../esign/dom.panel.tsx";
import "../esign/signer.css";

type Page = { enterprise: string; name: string; last4Of: "certificate" | "creditCode"; answered: boolean };
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

const yuan = (fen: number) =>
  (fen / 100).toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const textOf = (error: unknown) => (error instanceof Refused ? error.message : "请求出现错误，请稍后再试");

/** The page of an offer to renew: the tenant names the last four characters, chooses a term or says no. */
export default async function offerPage(root: HTMLElement, token: string): Promise<void> {
  const code = `o/${encodeURIComponent(token)}`;
  const main = h("main", { class: "sg stack gap-8" });
  root.replaceChildren(main);
  document.title = "续租方案";
  const show = (...nodes: Node[]) => {
    main.replaceChildren(...nodes);
    const heading = main.querySelector("h1");
    heading?.setAttribute("tabindex", "-1");
    heading?.focus();
  };
  const failed = (error: unknown, again?: () => void) =>
    show(
      h("h1", { class: "sg__head" }, textOf(error)),
      h("p", { class: "sub" }, "如有疑问，请联系您的管家。"),
      ...(again && !(error instanceof Refused && error.status >= 400 && error.status < 500)
        ? [button("重试", again)]
        : []),
    );
  const finished = ({ signPath, text }: Result) =>
    show(
      h("h1", { class: "sg__head" }, "已收到您的答复"),
      h("p", {}, text),
      ...(signPath
        ? [button("去签署", () => location.assign(signPath), "btn btn--lg btn--main")]
        : [h("p", { class: "sub" }, "您可以关闭本页。")]),
    );

  const knock = (page: Page) => {
    const what = page.last4Of === "creditCode" ? "统一社会信用代码后四位" : "证件号后四位";
    const last4 = field(what, {
      inputmode: "text",
      autocomplete: "off",
      autocapitalize: "characters",
      maxlength: 4,
      required: true,
    });
    const enter = async () => {
      const typed = last4.input.value.trim().toUpperCase();
      if (!/^[0-9A-Z]{4}$/.test(typed)) {
        last4.wrong(`请输入${what}`);
        return last4.input.focus();
      }
      try {
        choose(page, typed, await ask<Offer>("POST", `${code}/open`, { last4: typed }));
      } catch (error) {
        if (error instanceof Refused && error.status === 410) return failed(error);
        last4.wrong(textOf(error));
        last4.input.focus();
      }
    };
    const open = button(page.answered ? "查看答复" : "查看方案", enter, "btn btn--lg btn--main");
    const form = h("form", { class: "sg__card stack gap-6", novalidate: true }, last4.box, open);
    form.addEventListener("submit", (e) => {
      e.preventDefault();
      open.click();
    });
    show(
      h("h1", { class: "sg__head" }, `${page.enterprise}邀请您续租`),
      h("p", { class: "sub" }, `承租人：${page.name}`),
      form,
      h("p", { class: "fs-13 dim" }, "为确认是您本人，请先输入登记证件的后四位。连续输错3次将锁定30分钟。"),
    );
  };

  const choose = (page: Page, last4: string, offer: Offer) => {
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
    const answer = async (path: string, body: object) => {
      said.textContent = "";
      try {
        finished(await ask<Result>("POST", `${code}/${path}`, { last4, ...body }));
      } catch (error) {
        if (error instanceof Refused && error.status === 410) return failed(error);
        said.textContent = textOf(error);
      }
    };
    const agree = button(
      "选择并签署",
      () => {
        const chosen = boxes.findIndex((b) => b.radio.checked);
        if (chosen < 0) return void (said.textContent = "请选择一个续租方案");
        return answer("choose", { choice: chosen });
      },
      "btn btn--lg btn--main",
    );
    const why = field("不续租的原因", { maxlength: 200, required: true });
    const send = button(
      "确认不续租",
      () => {
        const reason = why.input.value.trim();
        if (reason.length < 2) {
          why.wrong("请填写原因（2-200字）");
          return why.input.focus();
        }
        return answer("decline", { reason });
      },
      "btn btn--lg btn--danger",
    );
    const declining = h("div", { class: "stack gap-6", hidden: true }, why.box, send);
    const no = button(
      "不续租",
      () => {
        declining.hidden = false;
        why.input.focus();
      },
      "btn btn--lg btn--text",
    );
    const facts = [
      ["房间", offer.roomNames],
      ["到期日", offer.end],
      ["现月租", `${yuan(offer.rent)} 元`],
      ["在管押金", `${yuan(offer.held)} 元，转入新合同`],
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
      no,
      declining,
    );
  };

  const load = async () => {
    main.replaceChildren(h("p", { class: "sub", role: "status" }, "正在打开…"));
    try {
      knock(await ask<Page>("GET", code));
    } catch (error) {
      failed(error, () => void load());
    }
  };
  await load();
}
