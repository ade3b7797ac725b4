import { yuan } from "../../../platform/kernel/fen.ts";
import { addDays } from "../../../platform/kernel/day.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { refuseWaiting } from "../act/request.service.ts";
import { recordById } from "../contract/record.queries.ts";
import { leaseFacts } from "../paper/paper.queries.ts";
import { agreed, rentsOn } from "../succession/agreed.rules.ts";
import { actBehind, arrearsUntil } from "../succession/succession.queries.ts";
import { type Drawn, presents } from "../esign/subject.service.ts";
import { keepMoney } from "../successor/steps.service.ts";
import type { OneSide } from "../successor/successor.contract.ts";
import { weighSuccession } from "../successor/weigh.service.ts";
import { type Document, documentPaper } from "../template/document.service.ts";
import { movingDetail } from "./moving.queries.ts";
import { supplementContent, type SupplementFacts } from "./supplement.rules.ts";

/** What stands on the supplement: while it is open as it comes to now, afterwards as it was carried out. */
export async function supplementOf(
  read: Read,
  id: number,
): Promise<{
  facts: SupplementFacts;
  name: string;
  document: Document;
  weighed: OneSide | undefined;
}> {
  const row = await movingDetail(read, id);
  refuseWaiting({ status: row.state });
  if (row.nextId === null) throw new Refusal("notAllowed", "该申请已取消", 409);
  const previous = (await recordById(read, row.contractId))!;
  const next = (await recordById(read, row.nextId))!;
  const open = row.state !== "done";
  const weighed = open ? await weighSuccession(read, next, (await actBehind(read, next.id))!) : undefined;
  const money = weighed
    ? asWeighed(weighed)
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
    weighed,
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

function asWeighed(w: OneSide) {
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

/** The supplement as it is presented for signing, before the contract that it leads to. */
async function drawn(read: Read, actId: number): Promise<Drawn> {
  const { facts: s, document, weighed } = await supplementOf(read, actId);
  if (!weighed) throw new Refusal("notAllowed", "该申请已办理", 409);
  const room = s.kind === "room";
  const used =
    s.credit.used > 0 ? [{ title: "抵扣未用租金", dueOn: read.today, amount: -s.credit.used }] : [];
  return {
    title: room ? "换房补充协议" : "转租补充协议",
    paper: await documentPaper(read, document, supplementContent(s)),
    facts: [
      { title: "原合同", value: s.lease.contractNo },
      room
        ? { title: "房间", value: `${s.lease.roomNames.join("、")} 换至 ${s.nextRoomNames}` }
        : { title: "租客", value: `${s.lease.lessee.name} 转给 ${s.nextPartyName}` },
      { title: "生效日", value: s.effectiveOn },
      { title: "新租期", value: `${s.effectiveOn} 至 ${s.nextEnd}` },
      { title: "月租金", value: `${yuan(s.rentBefore)} 变更为 ${yuan(s.rentAfter)} 元` },
      { title: room ? "签约应付" : "新租客签约应付", value: `${yuan(s.due)} 元` },
      { title: room ? "应退" : "退还原租客", value: `${yuan(s.refund)} 元` },
    ],
    due: [
      ...weighed.contract.added
        .filter((bill) => bill.dueOn === null)
        .map((bill) => ({ title: bill.title, dueOn: read.today, amount: bill.amount })),
      ...used,
    ],
    previewHash: weighed.previewHash,
    preview: weighed,
    // what else stands in the way is said where the contract comes into force
    obstacles: weighed.obstacles.filter((o) => o.code === "roomTaken"),
  };
}

for (const kind of ["changeRoom", "changeTenant"] as const)
  presents(kind, {
    docKind: kind,
    target: "changeRoom",
    send: () => (kind === "changeRoom" ? "#9601" : "#9602"),
    get: () => "96.get",
    draw: drawn,
    bothTenants: kind === "changeTenant",
    keep: async (act, actId) => {
      const { nextId } = await movingDetail(act, actId);
      const next = (await recordById(act, nextId!))!;
      const of = (await actBehind(act, next.id))!;
      await keepMoney(act, actId, next, await weighSuccession(act, next, of));
    },
  });
