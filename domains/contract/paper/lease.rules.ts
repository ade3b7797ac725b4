import type { Day } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { termText } from "../schedule/months.rules.ts";
import { inBoth, type ValuesFor } from "../template/palette.rules.ts";
import { BLANK, type PaperFacts, sidesOf } from "./paper.rules.ts";

/** What every document about a contract can say of it. */
export type LeaseFacts = Pick<
  PaperFacts,
  "contractNo" | "kind" | "lessor" | "lessee" | "store" | "storeAddress"
> & {
  roomNames: readonly string[];
  start: Day;
  end: Day;
  signedOn: Day | null;
  rent: Fen;
  deposit: Fen;
};

/** More rooms than this are named by the first of them. */
const NAMED = 10;
const roomsSaid = (names: readonly string[]) =>
  names.length > NAMED ? `${names.slice(0, NAMED).join("、")}等 ${names.length} 间` : names.join("、") || "—";

type Shared = Pick<ValuesFor<"supplement">, "holds" | "sides">;

/** The values that documents about a contract have in common: who, where, for how long, for how much. */
export function leaseValues(f: LeaseFacts) {
  const { lessee, lessor } = f;
  const [company, customer] = sidesOf(f);
  const some = (text: string) => text || BLANK;
  const texts = {
    合同编号: f.contractNo,
    签约日期: f.signedOn ?? "____年__月__日",
    起租日: f.start,
    到期日: f.end,
    租期: termText(f.start, f.end),
    ...inBoth({ 月租金: f.rent, 押金: f.deposit }),
    门店: f.store,
    门店地址: some(f.storeAddress),
    房间: roomsSaid(f.roomNames),
    房间数: String(f.roomNames.length),
    客户名称: lessee.name,
    客户证件: some(lessee.certificate),
    客户电话: some(lessee.phone),
    监护人: lessee.guardian || "无",
    客户信用代码: some(lessee.creditCode),
    法定代表人: some(lessee.legalName),
    客户联系人: some(lessee.contactName),
    客户地址: some(lessee.address),
    开票抬头: lessee.invoiceTitle || "无",
    企业名称: lessor.name,
    企业信用代码: some(lessor.creditCode),
    企业地址: some(lessor.address),
    企业电话: some(lessor.phone),
  };
  const sides: Shared["sides"] = { 企业印章: company!, 客户签字: customer! };
  return { texts, sides, holds: { 个人客户: f.kind === "renter", 企业客户: f.kind !== "renter" } };
}
