import { type RawBuilder, type SqlBool, sql } from "kysely";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import { bankCard } from "../../../platform/kernel/texts/contact.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { asSeen } from "../../../platform/server/database/versioned.ts";
import type { Act, Who } from "../../../platform/server/pipeline/act.ts";
import { inScope, seen } from "../../../platform/server/pipeline/scope.ts";
import { payeeNamed } from "../payer/payer.service.ts";
import { readRefund } from "../refund/refund.queries.ts";
import { ownsTransfers, takeBack } from "../refund/refund.service.ts";
import { lockReturning, refundTransfer, returnByLine, undoReturn } from "../refund/transfer.service.ts";
import { lineSeen } from "./line.queries.ts";
import { type OwnKind, USE_KIND } from "./line.rules.ts";
import {
  classify,
  type Line,
  lineOf,
  needFree,
  needHolder,
  standingUse,
  type Target,
  unclassify,
  standingUseOf,
} from "./line.service.ts";

/** Over `bank_line l` in `merchant_account a`: the list's tab 未认领. */
export const waitsForClaim = (who: Who): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${lineSeen(who)} and l.state = 'unclaimed')`;

export type Classified = {
  lineId: number;
  version: number;
  kind: OwnKind;
  amount: Fen;
  note: string;
  /** Of a transfer by mistake: where it goes back to, where not to the account that it came from. */
  payeeBank?: string;
  payeeAccount?: string;
} & Pick<Target, "merchantAccountId" | "from" | "to" | "villageId" | "refundId">;

/** What a person says that a part of a line is, as they saw the line. */
export async function classifyLine(act: Act, given: Classified): Promise<{ id: number }> {
  const { lineId, kind, amount, note } = given;
  // a refund is locked before the line that it comes back by
  const returning = kind === "refundReturn" ? await lockReturning(act, given.refundId!, amount) : undefined;
  const line = await lineOf(act, lineId, true);
  asSeen(line, given.version);
  needFree(line, amount);
  if (kind === "wrongTransfer") return { id: (await payBack(act, line, given)).id };
  if (!returning) {
    const { merchantAccountId, from, to } = given;
    const { id } = await classify(act, {
      lineId,
      kind,
      amount,
      target: { merchantAccountId, from, to, note },
    });
    return { id };
  }
  const { villageId, partyId } = returning.r;
  const target = { villageId, partyId, refundId: returning.r.id, note };
  const { id } = await classify(act, { lineId, kind, amount, target });
  await returnByLine(act, returning, note || "银行退回");
  return { id };
}

/** Pays a transfer by mistake back to its sender, by a refund of its own. */
async function payBack(act: Act, line: Line, given: Classified) {
  const { amount, note } = given;
  const villageId = inScope(act.who, given.villageId!);
  const partyId = await payeeNamed(act, {
    villageId,
    kind: "thirdParty",
    name: line.counterName.slice(0, 30) || "对公付款人",
  });
  const own = bankCard(line.counterAccount) ? "" : line.counterAccount;
  const refund = await refundTransfer(act, {
    lineId: line.id,
    villageId,
    partyId,
    amount,
    reason: note,
    payeeBank: given.payeeBank,
    payeeAccount: given.payeeAccount || own,
  });
  const target = { villageId, partyId, refundId: refund.id, note };
  return classify(act, { lineId: line.id, kind: "wrongTransfer", amount, target });
}

const ELSEWHERE = {
  submission: "该金额已用于缴款到账，请到缴款管理撤销",
  thirdParty: "该金额已用于第三方结算，请到第三方收入表撤销",
} as const;

/** It was something else: the line has the amount again, and what came of it is as it was. */
export async function unclassifyLine(
  act: Act,
  lineId: number,
  of: { useId: number; reason: string },
): Promise<void> {
  const line = await lineOf(act, lineId);
  const use = await standingUseOf(act, of.useId, lineId);
  if (use.kind === "submission" || use.kind === "thirdParty")
    throw new Refusal("notAllowed", ELSEWHERE[use.kind]);
  // the refund gives the line its money back when it is cancelled
  if (use.kind === "wrongTransfer") {
    seen(act.who, await readRefund(act, use.byId!));
    return takeBack(act, use.byId!, of.reason);
  }
  if (use.kind === "refundReturn") await undoReturn(act, use.byId!, of.reason);
  else await needHolder(act, use.accountId ?? line.accountId);
  await unclassify(act, of.useId, of.reason);
}

ownsTransfers(async (act, refundId, reason) => {
  const use = await standingUse(act, "wrongTransfer", refundId);
  await unclassify(act, use.id, `${USE_KIND.wrongTransfer[0]}未付：${reason}`);
});
