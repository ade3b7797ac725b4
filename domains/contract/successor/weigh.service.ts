import { createHash } from "node:crypto";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { addDays } from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { basisHash } from "../../../platform/server/secrets/basis-hash.ts";
import { type CutLine, cutLines, isDropped, withinBills } from "../../finance/setoff/setoff.rules.ts";
import { type Standing, standingOf } from "../../finance/setoff/setoff.service.ts";
import { closingOf, cutsTo } from "../act/cut.queries.ts";
import { type ContractRecord, recordById } from "../contract/record.queries.ts";
import { type Weighed, weighDraft, weighStored } from "../preview/preview.service.ts";
import { canonical } from "../schedule/net.rules.ts";
import {
  type SuccessionAct,
  owedBefore,
  spendsRest,
  waysBetween,
  whyNotAfter,
} from "../succession/succession.queries.ts";
import { firstCharges } from "../succession/succession.rules.ts";
import type { OneSide, SucceedPreview } from "./successor.contract.ts";

/** What signing comes to on both sides, as things stand; changes nothing. `drawn`: of a contract that is not stored yet. */
export async function weighSuccession(
  read: Read,
  contract: ContractRecord,
  of: Pick<SuccessionAct, "payload">,
  drawn?: Pick<Weighed, "contract" | "preview">,
): Promise<OneSide> {
  const weighed: Pick<Weighed, "contract" | "preview"> =
    drawn ?? (contract.state === "draft" ? await weighDraft(read, contract) : weighStored(read, contract));
  const { preview } = weighed;
  const takeOver = weighed.contract.terms.takeOver!;
  const previous = (await recordById(read, contract.previousId!))!;
  const standing = await standingOf(read, closingOf(previous));
  const last = addDays(contract.start!, -1);
  const cuts =
    takeOver.kind === "renewal" ? { backs: [], missing: 0 } : await cutsTo(read, previous, standing, last);
  const cut = withinBills(cutLines(standing.bills, cuts.backs));
  const byBill = Map.groupBy(cut, (c) => c.billId);
  const sum = (rows: typeof cut, key: "before" | "after" | "credit") => rows.reduce((s, c) => s + c[key], 0);
  const bills = standing.bills.flatMap((bill) => {
    const own = byBill.get(bill.id) ?? [];
    const [before, after] = [sum(own, "before"), isDropped(bill, cut) ? 0 : sum(own, "after")];
    const { id, billNo, title } = bill;
    return before === after ? [] : [{ id, billNo, title, before, after, credit: sum(own, "credit") }];
  });
  const held = heldAgain(standing, cut);
  const credit = sum(cut, "credit") - held;
  const ways = waysBetween(takeOver.kind, of.payload, previous, weighed.contract);
  const { credit: way } = ways;
  const carries = way === "carry" && takeOver.kind === "changeRoom";
  const charged = (bills: typeof preview.added) =>
    bills
      .flatMap((bill) => bill.lines)
      .reduce((fen, line) => (line.kind === "deposit" ? fen : fen + line.amount), 0);
  const first = firstCharges(preview.totals.atSigning, preview.added);
  const used = carries ? Math.min(credit, first) : 0;
  const obstacles = [...preview.obstacles];
  if (cuts.missing)
    obstacles.push({
      code: "notAllowed",
      msg: `有 ${cuts.missing} 项账单与合同条款不一致，请先核对合同账单`,
    });
  // of a draft it stands among the contract's own
  const gone = drawn || contract.state === "draft" ? undefined : await whyNotAfter(read, contract);
  if (gone) obstacles.push({ code: "notAllowed", msg: gone });
  const arrears = owedBefore(standing.bills, cut, contract.start!);
  const over = Math.max(0, standing.deposit + held - takeOver.deposit);
  const spent = spendsRest(ways) ? Math.min(over, charged(preview.added) - used) : 0;
  const back = over - spent;
  const previewHash = createHash("sha256")
    .update(
      canonical([
        takeOver.kind,
        preview.previewHash,
        ways,
        standing.deposit,
        held,
        cut.map((c) => [c.line.id, c.before, c.after, c.credit]),
      ]),
    )
    .digest("hex");
  return {
    contract: preview,
    bills,
    held: standing.deposit,
    deposit: preview.totals.deposit,
    carried: takeOver.deposit,
    spent,
    used,
    back,
    credit,
    due: preview.totals.atSigning - used - Math.min(spent, first - used),
    refund: back + (way === "refund" ? credit : 0),
    arrears,
    obstacles,
    previewHash,
  };
}

/** One act with the contract that it leads to. */
export type Side = { contract: ContractRecord; of: SuccessionAct };
export type Weighing = Side & { weighed: OneSide };

/** What is shown of one, or of two that swap their rooms: the first as one's own, both under one hash whichever is first. */
export function shownOf(sides: readonly Weighing[]): SucceedPreview {
  const [own, other] = sides as [Weighing, Weighing?];
  if (!other) return own.weighed;
  const { roomNames, terms } = other.contract;
  const both = sides.toSorted((a, b) => a.of.id - b.of.id);
  return {
    ...own.weighed,
    obstacles: [...own.weighed.obstacles, ...other.weighed.obstacles],
    previewHash: basisHash(both.map((side) => side.weighed.previewHash)),
    other: { ...other.weighed, roomNames, contractNo: terms.takeOver!.previousNo },
  };
}

/** What of lines that are lowered the deposit had paid: that is held again. */
function heldAgain({ setOff }: Standing, cut: readonly CutLine[]): Fen {
  const paid = new Map<number, Fen>();
  for (const { billLineId, amount } of setOff) paid.set(billLineId, (paid.get(billLineId) ?? 0) + amount);
  return cut.reduce(
    (fen, { line, credit }) => fen + Math.max(0, credit - (line.settled - (paid.get(line.id) ?? 0))),
    0,
  );
}
