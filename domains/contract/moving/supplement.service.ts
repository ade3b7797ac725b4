import { yuan } from "../../../platform/kernel/fen.ts";
import { addDays } from "../../../platform/kernel/day.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import type { Block } from "../../system/paper/block.rules.ts";
import { refuseWaiting } from "../act/request.service.ts";
import { type ContractRecord, recordById } from "../contract/record.queries.ts";
import { leaseFacts } from "../paper/paper.queries.ts";
import { agreed, rentsOn } from "../succession/agreed.rules.ts";
import { type SuccessionAct, actBehind, arrearsUntil, swapOf } from "../succession/succession.queries.ts";
import { type Drawn, presents } from "../esign/subject.service.ts";
import { keepMoney } from "../successor/steps.service.ts";
import type { OneSide } from "../successor/successor.contract.ts";
import { type Weighing, shownOf, weighSuccession } from "../successor/weigh.service.ts";
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
  next: ContractRecord;
  of: SuccessionAct | undefined;
  weighed: OneSide | undefined;
}> {
  const row = await movingDetail(read, id);
  refuseWaiting({ status: row.state });
  if (row.nextId === null) throw new Refusal("notAllowed", "该申请已取消", 409);
  const previous = (await recordById(read, row.contractId))!;
  const next = (await recordById(read, row.nextId))!;
  const open = row.state !== "done";
  const of = await actBehind(read, next.id);
  const weighed = open ? await weighSuccession(read, next, of!) : undefined;
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
    ...{ next, of, weighed },
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
      dated: next.signedOn ?? read.today,
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

type DrawnSide = Omit<Drawn, "preview"> & Weighing;

/** The supplement as it is presented for signing, before the contract that it leads to. */
async function sideOf(read: Read, actId: number): Promise<DrawnSide> {
  const { facts: s, document, next, of, weighed } = await supplementOf(read, actId);
  if (!weighed || !of) throw new Refusal("notAllowed", "该申请已办理", 409);
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
    ...{ contract: next, of, weighed },
    // what else stands in the way is said where the contract comes into force
    obstacles: weighed.obstacles.filter((o) => o.code === "roomTaken"),
  };
}

type Side = Extract<Block, { kind: "signatures" }>["sides"][number];
/** In place of the signatures of the first supplement of two. */
const BELOW: Block = { kind: "note", text: "本协议与下一份协议一并签署，签署见下一份协议。" };

/** What is presented: of two that swap their rooms both supplements, signed below the second by both tenants. */
async function drawn(read: Read, actId: number): Promise<Drawn> {
  const { contract, of, weighed, ...own } = await sideOf(read, actId);
  const sides: Weighing[] = [{ contract, of, weighed }];
  if (of.pairedId === null) return { ...own, preview: weighed };
  const { contract: next, of: paired, weighed: theirs, ...other } = await sideOf(read, of.pairedId);
  sides.push({ contract: next, of: paired, weighed: theirs });
  const preview = shownOf(sides);
  const sameParty = contract.partyId === next.partyId;
  const tenant = (sides: readonly Side[], role: string) => sides.slice(1).map((side) => ({ ...side, role }));
  const first = own.paper.blocks.find((block) => block.kind === "signatures")?.sides ?? [];
  const signedHere = (block: Block): Block => {
    if (block.kind !== "signatures") return block;
    const theirs = sameParty ? [] : tenant(block.sides, "乙方（本协议）");
    return { ...block, sides: [block.sides[0]!, ...tenant(first, "乙方（前一份协议）"), ...theirs] };
  };
  return {
    title: "对调补充协议",
    paper: {
      ...own.paper,
      blocks: [
        ...own.paper.blocks.map((block) => (block.kind === "signatures" ? BELOW : block)),
        { kind: "break" },
        ...other.paper.blocks.map(signedHere),
      ],
    },
    facts: [...own.facts, ...other.facts.map(({ title, value }) => ({ title: `对方${title}`, value }))],
    due: own.due,
    otherDue: other.due,
    previewHash: preview.previewHash,
    preview,
    obstacles: [...own.obstacles, ...other.obstacles],
  };
}

/** Keeps beside the act, and beside the one whose tenant takes the other room, what was agreed to. */
async function keep(act: Act, actId: number): Promise<void> {
  const { nextId } = await movingDetail(act, actId);
  const sides: Weighing[] = [];
  for (const id of [nextId!, await swapOf(act, nextId!)]) {
    if (id === null) continue;
    const contract = (await recordById(act, id))!;
    const of = (await actBehind(act, id))!;
    sides.push({ contract, of, weighed: await weighSuccession(act, contract, of) });
  }
  for (const { contract, of, weighed } of sides) await keepMoney(act, of.id, contract, weighed);
}

for (const kind of ["changeRoom", "changeTenant"] as const)
  presents(kind, {
    docKind: kind,
    target: "changeRoom",
    send: () => (kind === "changeRoom" ? "#9601" : "#9602"),
    get: () => "96.get",
    draw: drawn,
    bothTenants: kind === "changeTenant",
    keep,
  });
