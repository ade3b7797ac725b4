import type { Day } from "../../../platform/kernel/day.ts";
import type { Block, Paper } from "../../system/paper/block.rules.ts";
import { type ContractKind, KINDS } from "../terms/kind.rules.ts";

/** What a letter authorises. */
export type Scope = { from: Day; to: Day; kinds: ContractKind[]; villageIds: number[]; sealIds: number[] };
export type LetterFacts = {
  lessorName: string;
  creditCode: string;
  legalName: string;
  productTitle: string;
  from: Day;
  to: Day;
  kinds: readonly ContractKind[];
  /** By name; empty = all of them. */
  villages: readonly string[];
  seals: readonly string[];
};
export type LetterEvidence = {
  signedAt: string;
  /** Masked. */
  phone: string;
  ip: string;
  userAgent: string;
  sha256: string;
};

export const LETTER_TITLE = "电子签署授权书";
const named = (names: readonly string[], all: string) => (names.length ? names.join("、") : all);

/** The letter by which a lessor lets its operators sign for it; with the proof of its signature once it is signed. */
export function letterPaper(facts: LetterFacts, evidence?: LetterEvidence): Paper {
  const clauses = [
    `${facts.lessorName}（统一社会信用代码 ${facts.creditCode}，以下简称“本企业”）授权其在${facts.productTitle}中的操作人员，以本企业名义办理下列电子签署：`,
    `一、授权期限自 ${facts.from} 起至 ${facts.to} 止，含首尾两日。`,
    `二、可签署的文件：${facts.kinds.map((kind) => KINDS[kind].title).join("、")}，以及与其有关的补充协议和单据。`,
    `三、适用门店：${named(facts.villages, "本企业在系统中的全部门店")}。`,
    `四、可使用的印章：${named(facts.seals, "本企业在系统中登记的全部合同用章")}。`,
    "五、授权期限内由指定的印章使用人加盖本企业印章的电子文件，本企业承认其效力。本企业可以随时撤销授权；撤销前已签署的文件不受影响。",
  ];
  const blocks: Block[] = [
    { kind: "title", text: LETTER_TITLE },
    ...clauses.map((text) => ({ kind: "text" as const, text })),
    {
      kind: "signatures",
      sides: [
        { role: "授权企业", name: facts.lessorName },
        { role: "法人", name: facts.legalName },
      ],
      date: evidence ? evidence.signedAt.slice(0, 10) : "",
    },
  ];
  if (evidence)
    blocks.push(
      { kind: "heading", text: "签署记录" },
      {
        kind: "pairs",
        pairs: [
          ["签署人", facts.legalName],
          ["签署时间", evidence.signedAt],
          ["核验方式", `短信验证码 ${evidence.phone}`],
          ["网络地址", evidence.ip || "—"],
          ["设备", evidence.userAgent.slice(0, 120) || "—"],
          ["签署前文件 SHA-256", evidence.sha256],
        ],
      },
    );
  return { blocks, foot: [facts.lessorName, LETTER_TITLE], mark: evidence ? "" : "待签署" };
}
