import { invalid, type FieldError } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import type { Route } from "./refund.rules.ts";

export type PayeeGiven = {
  payeeName?: string | undefined;
  payeeBank?: string | undefined;
  payeeAccount?: string | undefined;
  relation?: string | undefined;
  /** Papers that say why somebody else gets the money. */
  fileIds?: readonly number[];
  /** The account may follow later: the money is asked back on the way, by whoever ends something else. */
  later?: boolean;
};

/** Who gets the money, as it is kept: the account sealed, its tail readable. Wrong fields are refused with their sentences. */
export async function payeeOf(act: Act, partyId: number, route: Route, given: PayeeGiven) {
  const party = await act.tx
    .selectFrom("party")
    .select("name")
    .where("id", "=", partyId)
    .executeTakeFirstOrThrow();
  const name = (given.payeeName || party.name).slice(0, 30);
  const [bank, account] = [given.payeeBank ?? "", given.payeeAccount ?? ""];
  const wrong: FieldError[] = [];
  if (route === "bank" && !given.later) {
    if (!bank) wrong.push({ field: "payeeBank", msg: "请输入开户行" });
    if (!account) wrong.push({ field: "payeeAccount", msg: "请输入正确的银行账号" });
  }
  if (name !== party.name && route !== "channel") {
    if (!given.relation) wrong.push({ field: "relation", msg: "收款人与客户不一致，请填写关系" });
    if (!given.fileIds?.length) wrong.push({ field: "fileIds", msg: "收款人与客户不一致，请上传证明" });
  }
  if (wrong.length) throw invalid(...wrong);
  const toBank = route === "bank" && account !== "";
  return {
    payeeName: route === "channel" ? party.name.slice(0, 30) : name,
    payeeBank: route === "bank" ? bank : "",
    payeeAccount: toBank ? act.cipher.seal(account) : null,
    payeeTail: toBank ? account.replaceAll("-", "").slice(-4) : "",
    relation: name === party.name ? "" : (given.relation ?? ""),
  };
}
