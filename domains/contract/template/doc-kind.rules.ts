import { greys } from "../../../platform/kernel/words.ts";
import { CONTRACT_KINDS, type ContractKind } from "../terms/kind.rules.ts";

/** What a template is the text of. */
export const DOC_KINDS = greys({
  renterContract: "租客合同",
  companyContract: "企业合同",
  merchantContract: "商户合同",
  renewal: "续租协议",
  supplement: "补充协议",
  changeRoom: "换房协议",
  changeTenant: "转租协议",
  settlementSheet: "退房结算单",
  handoverSheet: "交接单",
  receipt: "收据",
  dunningLetter: "催缴函",
  lendSlip: "借条",
});
export type DocKind = keyof typeof DOC_KINDS;
export const docKindOf = (kind: ContractKind) => `${kind}Contract` as const;

/** The kind of contract that a kind of document is always of. */
export const onlyKindOf = (docKind: DocKind): ContractKind | undefined =>
  CONTRACT_KINDS.find((kind) => docKindOf(kind) === docKind);

/** Whether a template may be meant for one kind of contract only: a slip of the archive is about paper. */
export const asksContractKind = (docKind: DocKind): boolean => !onlyKindOf(docKind) && docKind !== "lendSlip";

/** The wording of a whole contract. */
export const isLease = (docKind: DocKind): boolean => Boolean(onlyKindOf(docKind)) || docKind === "renewal";

/** It is presented for electronic signing, so the places of all who sign are in it. */
export const isSigned = (docKind: DocKind): boolean =>
  isLease(docKind) || ["supplement", "changeRoom", "changeTenant"].includes(docKind);
