import { smsCode } from "../esign/code.panel.tsx";
import { ask, button, callsAt, field, h, Refused, textOf } from "../esign/dom.panel.tsx";
import { type Block, paperOf } from "../esign/paper.panel.tsx";
import "../esign/signer.css";

type Page = {
  enterprise: string;
  tenant: string;
  last4Of: "certificate" | "creditCode";
  lockedMinutes: number;
};
type Document = {
  hash: string;
  net: number;
  blocks: Block[];
  phone: string;
  needImageCode: boolean;
  secondsToNextCode: number;
  consent: { text: string; terms: string[] };
  payee: string | null;
};

/** 431276 → 4,312.76, without the kit. */
const money = (fen: number) =>
  (Math.abs(fen) / 100).toLocaleString("zh-CN", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const isOver = (error: unknown) =>
  error instanceof Refused && (error.status === 410 || error.reason === "changed");

/** Where the money goes back: an account of the tenant's own, asked for where nobody knows one; it may stay empty. */
function ownAccount() {
  const bank = field("开户行", { maxlength: 30, autocomplete: "off" });
  const number = field("银行卡号", { maxlength: 30, inputmode: "numeric", autocomplete: "off" });
  return {
    box: h(
      "fieldset",
      { class: "sg__hand stack gap-4" },
      h("legend", {}, "退款账户（本人的银行卡，原路退回的可以不填）"),
      bank.box,
      number.box,
    ),
    /** What was typed, nothing where both are empty, null where it is wrong. */
    typed: (): { bank: string; number: string } | undefined | null => {
      const of = { bank: bank.input.value.trim(), number: number.input.value.replaceAll(" ", "") };
      if (!of.bank && !of.number) return undefined;
      const noBank = of.bank.length < 2;
      const noNumber = !/^\d[\d-]{4,28}\d$/.test(of.number);
      bank.wrong(noBank ? "请输入开户行" : "");
      number.wrong(noNumber ? "银行卡号格式不正确" : "");
      if (noBank || noNumber) (noBank ? bank : number).input.focus();
      return noBank || noNumber ? null : of;
    },
  };
}

/** The page of a settlement's link: the tenant names the last four characters, reads the sheet, and agrees or objects. */
export default async function confirmPage(root: HTMLElement, token: string): Promise<void> {
  document.title = "退房结算单确认";
  const code = `sheet/${encodeURIComponent(token)}`;
  const main = h("main", { class: "sg stack gap-8" });
  root.replaceChildren(main);
  const show = (...nodes: Node[]) => {
    main.replaceChildren(...nodes);
    const heading = main.querySelector("h1");
    heading?.setAttribute("tabindex", "-1");
    heading?.focus();
  };
  const said = (text: string, note: string, ...more: Node[]) =>
    show(h("h1", { class: "sg__head" }, text), h("p", { class: "sub" }, note), ...more);
  const failed = (error: unknown, again?: () => void) =>
    said(
      textOf(error),
      "如有疑问，请联系为您办理退房的管家。",
      ...(again && !(error instanceof Refused && error.status >= 400 && error.status < 500)
        ? [button("重试", again)]
        : []),
    );

  const load = async () => {
    main.replaceChildren(h("p", { class: "sub", role: "status" }, "正在打开…"));
    try {
      knock(await ask<Page>("GET", code));
    } catch (error) {
      failed(error, () => void load());
    }
  };

  /** The first step: who this is. */
  const knock = (page: Page) => {
    const what = page.last4Of === "creditCode" ? "统一社会信用代码后四位" : "证件号后四位";
    const last4 = field(what, {
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
        const { device } = await ask<{ device: string }>("POST", `${code}/open`, { last4: typed });
        read(page, device, await ask<Document>("GET", `${code}/document?device=${device}`));
      } catch (error) {
        if (isOver(error)) return failed(error);
        last4.wrong(textOf(error));
        last4.input.focus();
      }
    };
    const open = button("打开结算单", enter, "btn btn--lg btn--main");
    const form = h("form", { class: "sg__card stack gap-6", novalidate: true }, last4.box, open);
    form.addEventListener("submit", (e) => {
      e.preventDefault();
      open.click();
    });
    show(
      h("h1", { class: "sg__head" }, `${page.enterprise}请您核对退房结算单`),
      h("p", { class: "sub" }, `租客：${page.tenant}`),
      form,
      h("p", { class: "fs-13 dim" }, "为确认是您本人，请先输入登记证件的后四位。连续输错3次将锁定30分钟。"),
    );
    if (page.lockedMinutes) last4.wrong(`验证次数过多，请${page.lockedMinutes}分钟后再试`);
  };

  /** The second step: the sheet is read, then agreed to or objected to. */
  const read = (page: Page, device: string, sheet: Document) => {
    const result = sheet.net < 0 ? "应补付" : "应退还您";
    show(
      h("h1", { class: "sg__head" }, sheet.net ? `${result} ${money(sheet.net)} 元` : "双方互不相欠"),
      h("p", { class: "sub" }, `${page.enterprise} · 退房结算单`),
      paperOf(sheet.blocks, "退房结算单"),
      h(
        "p",
        {},
        h(
          "a",
          { href: callsAt(`${code}/document/file?device=${device}`), target: "_blank", rel: "noreferrer" },
          "打开 PDF 文件",
        ),
      ),
      h("p", { class: "sg__hash fs-12 dim" }, `文件 SHA-256：${sheet.hash}`),
      answering(device, sheet),
    );
  };

  const answering = (device: string, sheet: Document): HTMLElement => {
    const wrong = h("p", { class: "sg__wrong fs-13", role: "alert" });
    const tick = h("input", { type: "checkbox", id: "agreed", class: "sg__tick" });
    const sms = smsCode(code, device, sheet);
    const account = sheet.payee === "" ? ownAccount() : undefined;
    const agree = button(
      "同意结算",
      async () => {
        wrong.textContent = tick.checked ? "" : "请先勾选同意按此结算";
        if (!tick.checked) return;
        const captcha = sms.typed();
        const typed = account?.typed();
        if (!captcha || typed === null) return;
        try {
          const sent = { device, captcha, documentHash: sheet.hash, agreed: true, account: typed };
          const { said: done } = await ask<{ said: string }>("POST", `${code}/agree`, sent);
          said(done, "管家确认结算后，退款或账单会另行通知您。");
        } catch (error) {
          if (isOver(error)) return failed(error);
          sms.wrong(textOf(error));
        }
      },
      "btn btn--lg btn--main",
    );
    const why = field("异议原因", { maxlength: 200, required: true });
    const send = button(
      "提交异议",
      async () => {
        const reason = why.input.value.trim();
        if (reason.length < 2) {
          why.wrong("请填写异议原因（2-200字）");
          return why.input.focus();
        }
        try {
          const { said: done } = await ask<{ said: string }>("POST", `${code}/object`, { device, reason });
          said(done, "您无需再做其他操作。");
        } catch (error) {
          if (isOver(error)) return failed(error);
          why.wrong(textOf(error));
        }
      },
      "btn btn--lg btn--danger",
    );
    const objection = h("div", { class: "stack gap-6", hidden: true }, why.box, send);
    const object = button(
      "我有异议",
      () => {
        objection.hidden = false;
        why.input.focus();
      },
      "btn btn--lg btn--text",
    );
    return h(
      "section",
      { class: "sg__card stack gap-8", "aria-label": "确认" },
      h(
        "details",
        { class: "fs-13" },
        h("summary", {}, "确认约定"),
        h("ol", { class: "sg__terms" }, ...sheet.consent.terms.map((term) => h("li", {}, term))),
      ),
      sheet.payee && h("p", { class: "sub" }, `退款账户：${sheet.payee}`),
      account?.box,
      h("label", { class: "row gap-4", for: "agreed" }, tick, h("span", {}, sheet.consent.text)),
      ...sms.parts,
      wrong,
      agree,
      object,
      objection,
    );
  };

  await load();
}
