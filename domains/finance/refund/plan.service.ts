import type { Fen } from "../../../platform/kernel/fen.ts";
import { type FieldError, invalid, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { settingsOf } from "../setting/setting.service.ts";
import {
  type AskedSource,
  type Doing,
  type Holding,
  type Balances,
  halvesOf,
  originsOf,
  balancesOf,
  sumOf,
} from "./held.queries.ts";
import {
  type Part,
  type Proposal,
  type Route,
  type Split,
  proposedRoute,
  sharesOf,
  splitAs,
  whyNotRoute,
  whyNotSplit,
} from "./refund.rules.ts";
import { theRow } from "../../../platform/server/database/row.ts";
import { basisHash } from "../../../platform/server/secrets/basis-hash.ts";

/** What a refund would take and how it would go back, before and after it is written. */
export type Plan = Proposal & {
  held: Fen;
  /** Held less what other applications ask for. */
  available: Fen;
  parts: Taken[];
  /** All flows behind it, also those that nothing is taken from. */
  shares: Taken[];
  /** Why it cannot be taken as somebody wants it, or "". */
  splitWhy: string;
  routes: { route: Route; why: string }[];
  hash: string;
};

/** A part with the balance that it leaves. */
type Taken = Part & { source: AskedSource };

/**
 * What each flow gives of an amount, the newest money first; of a settlement the deposit's before the prepaid ones, as far as no
 * other application asks for the deposit.
 */
async function sharesFrom(
  read: Read,
  of: Holding,
  balances: Balances,
  amount: Fen,
  doing: Doing,
): Promise<Taken[]> {
  if (of.source === "settlement") {
    const [deposit, prepaid] = halvesOf(of);
    const { held, asked } = balances.deposit;
    const first = Math.min(amount, held, Math.max(0, held - asked, amount - balances.prepaid.held));
    return [
      ...(await sharesFrom(read, deposit, balances, first, doing)),
      ...(await sharesFrom(read, prepaid, balances, amount - first, doing)),
    ];
  }
  const { source } = of;
  if (!amount) return [];
  return sharesOf(await originsOf(read, of, balances, doing), amount).map((part) => ({ ...part, source }));
}

const isTaken = (part: Part) => part.amount > 0;

/** The parts of an amount that is approved, as its applicant has split it; refused where a flow has no longer enough for that. */
export async function planParts(
  read: Read,
  of: Holding,
  balances: Balances,
  amount: Fen,
  { split, ...doing }: Doing & { split?: Split | undefined },
): Promise<Taken[]> {
  const shares = await sharesFrom(read, of, balances, amount, doing);
  const why = split && whyNotSplit(shares, split, amount);
  if (why) throw new Refusal("notAllowed", `${why}，请驳回后重新申请`);
  return (split ? splitAs(shares, split) : shares).filter(isTaken);
}

export async function planOf(read: Read, of: Holding, amount: Fen, split?: Split): Promise<Plan> {
  const balances = await balancesOf(read, of);
  const held = sumOf(balances, of.source, "held");
  const available = Math.max(0, held - sumOf(balances, of.source, "asked"));
  const newest = await sharesFrom(read, of, balances, Math.min(amount, held), {});
  const shares = split ? splitAs(newest, split) : newest;
  const splitWhy = (split && whyNotSplit(newest, split, amount)) ?? "";
  const parts = shares.filter(isTaken);
  const cashLimit = await cashLimitOf(read, of.villageId);
  const asked = { parts, amount, today: read.today, cashLimit };
  const routes = (["channel", "bank", "cash"] as const).map((route) => ({
    route,
    why: whyNotRoute(route, asked) ?? "",
  }));
  const basis = [of, amount, available, parts.map((part) => [part.flowId, part.amount])];
  const hash = basisHash(basis);
  return { ...proposedRoute(parts, read.today), held, available, parts, shares, splitWhy, routes, hash };
}

/** What applications ask for of the money that a settlement of a contract gives back. */
export async function askedBack(
  read: Pick<Read, "tx">,
  { contractId, partyId, villageId }: { contractId: number; partyId: number; villageId: number },
): Promise<Fen> {
  const of = { source: "settlement", sourceId: contractId, contractId, partyId, villageId } as const;
  return sumOf(await balancesOf(read, of), "settlement", "asked");
}

export async function cashLimitOf(read: Read, villageId: number): Promise<Fen> {
  const settings = await settingsOf(read, [villageId]);
  return settings(villageId).cashRefundLimit;
}

export type PayeeGiven = {
  payeeName?: string | undefined;
  payeeBank?: string | undefined;
  payeeAccount?: string | undefined;
  relation?: string | undefined;
  /** The papers hang on the record that asks the money back. */
  proven?: boolean;
  /** Papers that say why somebody else gets the money. */
  fileIds?: readonly number[];
  /** The account may follow later: the money is asked back on the way, by whoever ends something else. */
  later?: boolean;
};

/** Who gets the money, as it is kept: the account sealed, its tail readable. Wrong fields are refused with their sentences. */
export async function payeeOf(act: Act, partyId: number, route: Route, given: PayeeGiven) {
  const party = await theRow(act, "party", ["name"], { id: partyId });
  const own = party.name.slice(0, 30);
  const name = (given.payeeName || own).slice(0, 30);
  const [bank, account] = [given.payeeBank ?? "", given.payeeAccount ?? ""];
  const wrong: FieldError[] = [];
  if (route === "bank" && !given.later) {
    if (!bank) wrong.push({ field: "payeeBank", msg: "请输入开户行" });
    if (!account) wrong.push({ field: "payeeAccount", msg: "请输入正确的银行账号" });
  }
  if (name !== own && route !== "channel") {
    if (!given.relation) wrong.push({ field: "relation", msg: "收款人与客户不一致，请填写关系" });
    if (!given.fileIds?.length && !given.proven)
      wrong.push({ field: "fileIds", msg: "收款人与客户不一致，请上传证明" });
  }
  if (wrong.length) throw invalid(...wrong);
  const toBank = route === "bank" && account !== "";
  return {
    payeeName: route === "channel" ? own : name,
    payeeBank: route === "bank" ? bank : "",
    payeeAccount: toBank ? act.cipher.seal(account) : null,
    payeeTail: toBank ? account.replaceAll("-", "").slice(-4) : "",
    relation: name === own ? "" : (given.relation ?? ""),
  };
}
