import type { Day } from "../../../platform/kernel/day.ts";
import type { Content } from "../template/blocks.rules.ts";
import type { ValuesFor } from "../template/palette.rules.ts";

export type SlipFacts = {
  archiveNo: string;
  contractNo: string;
  partyName: string;
  villageName: string;
  roomNames: string;
  lessor: string;
  /** What the original is. */
  file: string;
  place: string;
  copies: number;
  borrowerName: string;
  purpose: string;
  lentOn: Day;
  dueOn: Day;
};

/** 借条: who has an original, what for, until when. */
export function slipContent(s: SlipFacts): Content {
  const values: ValuesFor<"lendSlip"> = {
    texts: {
      合同编号: s.contractNo,
      客户名称: s.partyName,
      门店: s.villageName,
      房间: s.roomNames,
      企业名称: s.lessor,
      档案号: s.archiveNo,
      文件: s.file,
      库位: s.place || "—",
      份数: String(s.copies),
      借阅人: s.borrowerName,
      用途: s.purpose,
      借出日: s.lentOn,
      应还日: s.dueOn,
    },
    clauses: {},
    tables: {},
    holds: {},
    sides: {
      借阅人签字: { role: "借阅人", name: s.borrowerName },
      经办人签字: { role: "经办人", name: "" },
    },
    signedOn: "",
  };
  return { values, foot: `${s.archiveNo}　${s.villageName}`, mark: "" };
}
