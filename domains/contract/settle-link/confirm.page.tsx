import { yuan } from "../../../platform/kernel/fen.ts";
import { smsCode } from "../esign/code.panel.tsx";
import { ask, button, field, h, textOf } from "../esign/dom.panel.tsx";
import { fileLink, isOver, type Linked, linkPage, refusing } from "../esign/link-page.panel.tsx";
import { type Block, paperOf } from "../esign/paper.panel.tsx";

type Page = Linked & { enterprise: string; tenant: string };
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
  const { show, failed, start } = linkPage(root, "如有疑问，请联系为您办理退房的管家。");
  const said = (text: string, note: string) =>
    show(h("h1", { class: "sg__head" }, text), h("p", { class: "sub" }, note));

  /** The second step: the sheet is read, then agreed to or objected to. */
  const read = (page: Page, device: string, sheet: Document) => {
    const result = sheet.net < 0 ? "应补付" : "应退还您";
    show(
      h(
        "h1",
        { class: "sg__head" },
        sheet.net ? `${result} ${yuan(Math.abs(sheet.net))} 元` : "双方互不相欠",
      ),
      h("p", { class: "sub" }, `${page.enterprise} · 退房结算单`),
      paperOf(sheet.blocks, "退房结算单"),
      fileLink(code, device),
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
    const objection = refusing({
      word: "我有异议",
      title: "异议原因",
      ok: "提交异议",
      missing: "请填写异议原因（2-200字）",
      send: async (reason) => {
        const { said: done } = await ask<{ said: string }>("POST", `${code}/object`, { device, reason });
        said(done, "您无需再做其他操作。");
      },
      failed,
    });
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
      ...objection,
    );
  };

  await start<Page>(code, {
    heading: (page) => `${page.enterprise}请您核对退房结算单`,
    who: (page) => `租客：${page.tenant}`,
    open: () => "打开结算单",
    enter: async (page, last4) => {
      const { device } = await ask<{ device: string }>("POST", `${code}/open`, { last4 });
      read(page, device, await ask<Document>("GET", `${code}/document?device=${device}`));
    },
  });
}
