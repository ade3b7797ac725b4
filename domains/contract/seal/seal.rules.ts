import type { Day } from "../../../platform/kernel/day.ts";
import type { ContractKind } from "../terms/kind.rules.ts";

/** Finance seals close receipts, never contracts. */
export const SEAL_KINDS = { official: "公章", contract: "合同专用章", finance: "财务章" } as const;
export type SealKind = keyof typeof SEAL_KINDS;
/** Which of several seals of a store is set on a contract. */
export const ON_CONTRACTS = ["contract", "official"] as const satisfies readonly SealKind[];

export const CERTIFICATE_SOURCES = { deployment: "系统自签证书", imported: "导入的证书" } as const;

/** Whether and for what a lessor may sign. */
export type Authorisation = {
  lessorEnabled: boolean;
  authState: string;
  authFrom: Day | null;
  authTo: Day | null;
  authKinds: readonly string[];
  /** Empty = all of them. */
  authVillageIds: readonly number[];
  authSealIds: readonly number[];
};
export type Settable = Authorisation & {
  id: number;
  enabled: boolean;
  villageIds: readonly number[];
  /** Of an imported certificate; the deployment's own is made anew in time. */
  validTo: Date | null;
};
export type ToSign = {
  villageId: number;
  contractKind: ContractKind;
  /** The lessor that the contract names, where it names one. */
  lessorId?: number | undefined;
};

/** Why a lessor may not sign today; undefined when it may. */
export function unauthorised(of: Authorisation, today: Day): string | undefined {
  if (!of.lessorEnabled) return "企业已停用";
  if (of.authState === "revoked") return "企业授权已撤销";
  if (of.authState === "expired" || (of.authTo !== null && of.authTo < today)) return "企业授权已过期";
  if (of.authState !== "authorised") return "企业尚未完成签署授权";
  if (of.authFrom !== null && of.authFrom > today) return `企业授权自 ${of.authFrom} 起生效`;
  return undefined;
}

/** Why this seal may not be set on such a contract; undefined when it may. */
export function whyNotSet(seal: Settable, to: ToSign, today: Day, now: Date): string | undefined {
  if (!seal.enabled) return "印章已停用";
  if (!seal.villageIds.includes(to.villageId)) return "印章不可用于该门店";
  const refused = unauthorised(seal, today);
  if (refused) return refused;
  if (!seal.authKinds.includes(to.contractKind)) return "企业授权不包含该类合同";
  if (seal.authVillageIds.length && !seal.authVillageIds.includes(to.villageId))
    return "企业授权不包含该门店";
  if (seal.authSealIds.length && !seal.authSealIds.includes(seal.id)) return "企业授权不包含该印章";
  if (seal.validTo !== null && seal.validTo <= now) return "印章证书已过期";
  return undefined;
}

/** Whether a PNG has parts that let show through what lies below: an alpha channel, or a transparent colour. */
export function transparentPng(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 33 || view.getUint32(0) !== 0x89504e47) return false;
  const colourType = bytes[25]!;
  if (colourType === 4 || colourType === 6) return true;
  for (let at = 8; at + 12 <= bytes.length;) {
    const type = view.getUint32(at + 4);
    // tRNS; after the first IDAT there is none
    if (type === 0x74524e53) return true;
    if (type === 0x49444154) return false;
    at += 12 + view.getUint32(at);
  }
  return false;
}
