import type { Day } from "../../../platform/kernel/day.ts";
import { chineseYuan, type Fen, yuan } from "../../../platform/kernel/fen.ts";
import type { Block, Paper } from "../../system/paper/block.rules.ts";
import type { State } from "../contract/contract.rules.ts";
import type { ContractKind } from "../terms/kind.rules.ts";
import { howOf, shownBill, subjectOf } from "../preview/preview.rules.ts";
import type { Plan } from "../schedule/line.rules.ts";
import { termText } from "../schedule/months.rules.ts";
import { dueOn } from "../schedule/slot.rules.ts";
import type { RentFrom } from "../schedule/steps.rules.ts";
import type { Terms } from "../terms/terms.contract.ts";
import { breachClauses, depositClause, discountClauses, feeClauses, rentClauses } from "./clause.rules.ts";

/** Who rents, as the paper names them. Numbers of certificates come masked. */
export type Lessee = {
  name: string;
  phone: string;
  certificate: string;
  guardian: string;
  /** Of firms. */
  creditCode: string;
  legalName: string;
  contactName: string;
  address: string;
  /** To whom its invoices are made out, where the contract says so. */
  invoiceTitle: string;
};

/** What the rooms are for. */
export const USE = {
  renter: "居住",
  company: "安排员工居住",
  merchant: "经营使用",
} as const satisfies Record<ContractKind, string>;

/** What the product does not know is written by hand on the paper; a contract that names nobody proves nothing. */
export const BLANK = "____________________（签署时填写）";

/** A person is known by a certificate, a firm by its credit code and whoever stands for it. */
export function lesseePairs(kind: ContractKind, l: Lessee): [title: string, value: string][] {
  if (kind === "renter")
    return [
      ["承租人（乙方）", l.name],
      ["证件", l.certificate || BLANK],
      ["联系电话", l.phone || BLANK],
      ["监护人", l.guardian || "无"],
    ];
  return [
    ["承租人（乙方）", l.name],
    l.creditCode ? ["统一社会信用代码", l.creditCode] : ["证件", l.certificate || BLANK],
    ...(l.legalName ? [["法定代表人", l.legalName] as [string, string]] : []),
    ["地址", l.address || BLANK],
    ["联系人", l.contactName || BLANK],
    ["联系电话", l.phone || BLANK],
    ...(l.invoiceTitle ? [["开票抬头", l.invoiceTitle] as [string, string]] : []),
  ];
}

type Room = { name: string; area: string | null; monthlyRent: number };

/** The rooms with their area; where a firm rents several, each with its own rent. */
export function roomWords(kind: ContractKind, rooms: readonly Room[]): string {
  const each = kind !== "renter" && rooms.length > 1;
  return rooms
    .map(({ name, area, monthlyRent }) => {
      const said = [area && `${area} 平方米`, each && `月租金 ${yuan(monthlyRent)} 元`].filter(Boolean);
      return said.length ? `${name}（${said.join("，")}）` : name;
    })
    .join("、");
}

/** Who lives there beside the lessee: a firm names its people afterwards, a shop is lived in by nobody. */
export function livingClause(
  kind: ContractKind,
  occupants: readonly { name: string; relation: string }[],
): string {
  if (kind === "company")
    return "乙方安排的入住人员以向甲方登记的名单为准，更换入住人员应当提前告知甲方，不需要重新签订合同。";
  if (kind === "merchant") return "乙方应当依法取得经营所需的证照，不得将铺位用于居住。";
  return occupants.length
    ? `除乙方外的同住人：${occupants.map((o) => (o.relation ? `${o.name}（${o.relation}）` : o.name)).join("、")}。`
    : "乙方未登记同住人；增加同住人须经甲方书面同意。";
}

/** Everything that is printed. Numbers of certificates come masked, as the contract keeps them. */
export type PaperFacts = {
  contractNo: string;
  lessor: { name: string; creditCode: string; address: string; phone: string };
  kind: ContractKind;
  lessee: Lessee;
  village: string;
  store: string;
  storeAddress: string;
  rooms: readonly { roomId: number; name: string; area: string | null; monthlyRent: number }[];
  occupants: readonly { name: string; phone: string; relation: string }[];
  start: Day;
  end: Day;
  /** The rents over the term, from the same schedule as the bills. */
  rents: readonly RentFrom[];
  terms: Terms;
  plan: Plan;
  signedOn: Day | null;
  state: State;
  /** Of an unsigned print: what the rules would date earlier is due on signing. */
  today: Day;
  previewHash: string;
  /** The contract that a renewal comes after. */
  previous: { contractNo: string; start: Day; end: Day; rent: Fen } | null;
};

/** 房屋: what is let, what for, and who lives there. */
export const placeClauses = (
  f: Pick<PaperFacts, "village" | "kind" | "rooms" | "occupants" | "terms">,
): string[] => [
  `甲方将位于${f.village}的下列房屋出租给乙方${USE[f.kind]}：${roomWords(f.kind, f.rooms)}。`,
  livingClause(f.kind, f.occupants),
  ...(f.terms.openOn ? [`铺位的开业日为 ${f.terms.openOn}。`] : []),
];

/** What stands where nothing was agreed beyond rent and deposit. */
const NO_FEES = "除租金、押金及按表计收取的水电费用外，双方未约定其他费用。";
export const otherFees = (terms: Terms): string[] => {
  const fees = feeClauses(terms);
  return fees.length ? fees : [NO_FEES];
};

/** Who signs, and how. */
export const sidesOf = (f: Pick<PaperFacts, "kind" | "lessor" | "lessee">) => [
  { role: "甲方（盖章）", name: f.lessor.name },
  { role: f.kind === "renter" ? "乙方（签字）" : "乙方（盖章）", name: f.lessee.name },
];

export const footOf = (f: Pick<PaperFacts, "contractNo" | "previewHash">) =>
  `${f.contractNo}　试算校验 ${f.previewHash.slice(0, 16)}`;

/** 企业租赁合同_HT….pdf: the paper's name by who signs it. */
export const PAPER_TITLES = {
  renter: "房屋租赁合同",
  company: "企业房屋租赁合同",
  merchant: "商铺租赁合同",
} as const satisfies Record<ContractKind, string>;

/** The lease as it is signed: parties, clauses in words and sums, the bill table as appendix. */
export function leasePaper(f: PaperFacts): Paper {
  const numbered = (no: string, texts: readonly string[]): Block[] =>
    texts.map((text, i) => ({ kind: "text", text: `${no}.${i + 1} ${text}` }));
  const { terms, plan } = f;
  const blocks: Block[] = [
    { kind: "title", text: PAPER_TITLES[f.kind] },
    { kind: "note", text: `合同编号：${f.contractNo}` },
    {
      kind: "pairs",
      pairs: [
        ["出租人（甲方）", f.lessor.name],
        ["统一社会信用代码", f.lessor.creditCode || BLANK],
        ["地址", f.lessor.address || BLANK],
        ["联系电话", f.lessor.phone || BLANK],
        ...lesseePairs(f.kind, f.lessee),
      ],
    },
    { kind: "text", text: "甲乙双方在平等、自愿的基础上，就房屋租赁事宜订立本合同。" },
    { kind: "heading", text: "第一条 租赁房屋" },
    ...numbered("1", placeClauses(f)),
    { kind: "heading", text: "第二条 租赁期限" },
    ...numbered("2", [`租赁期限自 ${f.start} 起至 ${f.end} 止，共 ${termText(f.start, f.end)}。`]),
    { kind: "heading", text: "第三条 租金及支付" },
    ...numbered("3", [
      ...rentClauses(
        terms,
        f.rents,
        f.rooms.map((r) => r.name),
      ),
      ...discountClauses(terms),
    ]),
    { kind: "heading", text: "第四条 押金" },
    ...numbered("4", [depositClause(plan.totals.deposit)]),
    { kind: "heading", text: "第五条 其他费用" },
    ...numbered("5", otherFees(terms)),
    { kind: "heading", text: "第六条 违约责任与退房" },
    ...numbered("6", breachClauses(terms)),
    { kind: "heading", text: "第七条 其他" },
    ...numbered("7", [
      ...(terms.policyNote ? [`补充约定：${terms.policyNote}`] : []),
      "附件《账单明细》为本合同的组成部分，与正文具有同等效力。",
      "本合同一式两份，双方各执一份，自双方签字或盖章之日起生效。",
    ]),
    {
      kind: "signatures",
      sides: sidesOf(f),
      date: f.signedOn ?? "",
    },
    { kind: "appendix" },
    ...billTable(f),
  ];
  return { blocks, foot: [footOf(f), ""], mark: unsigned(f) };
}

/** What a paper is called that nobody may take for the contract. */
export const unsigned = ({ state, signedOn }: Pick<PaperFacts, "state" | "signedOn">): string =>
  state === "voided" ? "作废" : signedOn ? "" : state === "signing" ? "待签稿" : "草稿";

/** Every line that signing bills, with how it was reckoned; of several rooms each line names its own. */
export function billRows({ plan, terms, rooms, signedOn, today }: PaperFacts) {
  const names = new Map(rooms.map((r) => [r.roomId, r.name]));
  const several = names.size > 1;
  const rows = plan.bills.flatMap((bill, n) => {
    const due = signedOn
      ? dueOn(bill, signedOn, terms.due.firstDueDays ?? 0)
      : (shownBill(bill, terms, today).dueOn ?? "签约当日");
    return bill.lines.map((line, i) => [
      i ? "" : String(n + 1),
      `${line.from} 至 ${line.to}`,
      i ? "" : due,
      subjectOf(line, terms.fees),
      ...(several ? [(line.roomId !== null && names.get(line.roomId)) || "—"] : []),
      yuan(line.amount),
      howOf(line, terms),
    ]);
  });
  const whole = plan.totals.contractTotal + plan.totals.deposit;
  return {
    columns: [
      { title: "序号", width: 30 },
      { title: "计费期", width: several ? 76 : 122 },
      { title: "应收日", width: 62 },
      { title: "科目", width: 56 },
      ...(several ? [{ title: "房间", width: 80 }] : []),
      { title: "金额（元）", width: 68, right: true },
      { title: "计算说明", width: several ? 123 : 157 },
    ],
    rows,
    sums: ["", "合计（含押金）", "", "", ...(several ? [""] : []), yuan(whole), chineseYuan(whole)],
  };
}

function billTable(f: PaperFacts): Block[] {
  const { totals } = f.plan;
  return [
    { kind: "heading", text: "附件 账单明细" },
    { kind: "table", ...billRows(f) },
    {
      kind: "note",
      text: `签约应收 ${yuan(totals.atSigning)} 元，合同总额 ${yuan(totals.contractTotal)} 元，押金 ${yuan(totals.deposit)} 元。`,
    },
  ];
}
