import { yuan } from "../../../platform/kernel/fen.ts";
import type { ContractKind } from "../contract/contract.rules.ts";

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
