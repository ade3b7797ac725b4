import { yuan } from "../../../platform/kernel/fen.ts";

type Said = {
  company: string;
  /** The operator's own legal entity. */
  issuer: string;
  contact: string;
  from: string;
  to: string;
  sums: { opening: number; billed: number; collected: number; credited: number; closing: number };
};

export const NOBODY_GETS = "没有填写邮箱的账单接收人，请先在联系人中勾选接收账单并填写邮箱";

/** The e-mail that carries the paper. */
export const statementMail = (f: Said): { subject: string; body: string } => ({
  subject: `对账单 ${f.company} ${f.from} 至 ${f.to}`,
  body: [
    `${f.contact}：`,
    "",
    `附件是${f.company} ${f.from} 至 ${f.to} 的对账单。`,
    `期初欠款 ${yuan(f.sums.opening)} 元，本期应收 ${yuan(f.sums.billed)} 元，本期收款 ${yuan(f.sums.collected)} 元，本期减免 ${yuan(f.sums.credited)} 元，期末欠款 ${yuan(f.sums.closing)} 元。`,
    "请核对以上金额，无误后盖章寄回；如有不符，请在收到后 7 日内告知。",
    "",
    f.issuer,
  ].join("\n"),
});
