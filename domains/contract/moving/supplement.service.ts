import { addDays } from "../../../platform/kernel/day.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { recordById } from "../contract/record.queries.ts";
import { leaseFacts } from "../paper/paper.queries.ts";
import { agreed, rentsOn } from "../succession/agreed.rules.ts";
import { actBehind, arrearsUntil } from "../succession/succession.queries.ts";
import { weighSuccession } from "../successor/weigh.service.ts";
import type { Document } from "../template/document.service.ts";
import { movingDetail } from "./moving.queries.ts";
import type { SupplementFacts } from "./supplement.rules.ts";

/** What stands on the supplement: while it is open as it comes to now, afterwards as it was carried out. */
export async function supplementOf(
  read: Read,
  id: number,
): Promise<{ facts: SupplementFacts; name: string; document: Document }> {
  const row = await movingDetail(read, id);
  if (row.nextId === null) throw new Refusal("notAllowed", "该申请已取消", 409);
  const previous = (await recordById(read, row.contractId))!;
  const next = (await recordById(read, row.nextId))!;
  const open = row.state !== "done";
  const money = open
    ? await asWeighed(read, row.nextId)
    : {
        deposit: await carriedOf(read, row),
        credit: {
          unused: row.cut.reduce((sum, bill) => sum + bill.credit, 0),
          used: row.creditUsed ?? 0,
          back: row.creditBack ?? 0,
        },
        fee: row.fee ?? 0,
        due: row.due ?? 0,
        refund: row.refund ?? 0,
        arrears: await arrearsUntil(read, row.contractId, row.effectiveOn),
        cut: row.cut,
      };
  const rents = [...rentsOn(agreed(next), row.effectiveOn).values()];
  return {
    name: `${row.kind === "room" ? "换房" : "转租"}补充协议_${row.actNo}`,
    document: {
      docKind: row.kind === "room" ? "changeRoom" : "changeTenant",
      recordId: id,
      villageId: row.villageId,
      contractKind: previous.kind,
    },
    facts: {
      ...money,
      actNo: row.actNo,
      kind: row.kind,
      lease: await leaseFacts(read, previous),
      nextNo: next.contractNo,
      nextPartyName: next.partyName,
      nextRoomNames: next.roomNames,
      lastDay: addDays(row.effectiveOn, -1),
      effectiveOn: row.effectiveOn,
      nextEnd: next.end!,
      rentBefore: row.rentBefore,
      rentAfter: rents.reduce((sum, rent) => sum + rent, 0),
      reason: row.reason,
      open,
      today: read.today,
    },
  };
}

type Row = Awaited<ReturnType<typeof movingDetail>>;

async function carriedOf(read: Read, row: Row): Promise<SupplementFacts["deposit"]> {
  const carried = (await recordById(read, row.nextId!))!.terms.takeOver?.deposit ?? 0;
  const back = row.depositBack ?? 0;
  const spent = row.depositUsed ?? 0;
  return { held: carried + spent + back, carried, spent, back, due: (row.depositChange ?? 0) + back };
}

async function asWeighed(read: Read, nextId: number) {
  const act = (await actBehind(read, nextId))!;
  const w = await weighSuccession(read, (await recordById(read, nextId))!, act);
  const lines = w.contract.added.flatMap((bill) => bill.lines);
  return {
    deposit: {
      held: w.held,
      carried: w.carried,
      spent: w.spent,
      back: w.back,
      due: w.deposit - w.carried,
    },
    credit: {
      unused: w.credit,
      used: w.used,
      back: w.refund - w.back,
    },
    fee: lines.reduce((sum, line) => (line.kind === "once" ? sum + line.amount : sum), 0),
    due: w.due,
    refund: w.refund,
    arrears: w.arrears,
    cut: w.bills,
  };
}
