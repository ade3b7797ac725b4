import { sql } from "kysely";
import type { z } from "zod";
import { Refusal, forbidden, invalid, notFound, stale } from "../../../platform/kernel/refusal.ts";
import { revise, stamp, asSeen, UNSAVED } from "../../../platform/server/database/versioned.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { attachFiles, keepFile } from "../../system/file/file.service.ts";
import { HANDOVER_AHEAD_DAYS, isInForce } from "../contract/contract.rules.ts";
import { type ContractRecord, contractNote, contractRecord } from "../contract/record.queries.ts";
import { drawn } from "../esign/party.service.ts";
import { keepWording } from "../template/document.service.ts";
import { permitOf } from "../terms/kind.rules.ts";
import { addDays } from "../../../platform/kernel/day.ts";
import type { saveSheet } from "./inspection.contract.ts";
import { keptSheet, lastReadings, roomItems } from "./inspection.queries.ts";
import {
  type Item,
  type Reading,
  type SheetKind,
  SHEET_KINDS,
  brokenSince,
  isBroken,
  lostKeys,
  sheetErrors,
} from "./inspection.rules.ts";
import { DRAWN, sheetDocument } from "./paper.service.ts";

type Body = z.output<typeof saveSheet.body>;

/** What the sheet of a room starts from: of moving out, what was handed over and where its meters stood. */
export async function startOf(
  read: Read,
  contractId: number,
  { roomId, kind }: { roomId: number; kind: SheetKind },
): Promise<{ items: Item[]; readings: Reading[] }> {
  const contract = await contractRecord(read, contractId);
  roomOf(contract, roomId);
  const before = kind === "out" ? await keptSheet(read, { contractId, roomId, kind: "in" }) : undefined;
  const readings = before?.readings ?? (await lastReadings(read, roomId, null));
  return {
    items: (before?.items ?? (await roomItems(read, roomId))).map((item) => ({
      ...item,
      reason: "",
      fileIds: [],
    })),
    // the new reading is to be typed
    readings: readings.map((r) => ({
      ...r,
      start: kind === "out" ? r.reading : null,
      reading: "",
      fileIds: [],
    })),
  };
}

function roomOf({ rooms }: ContractRecord, roomId: number) {
  const room = rooms.find((r) => r.roomId === roomId);
  if (!room) throw notFound();
  return room;
}

/**
 * The act by which a room is left, while its sheet may be written: until it is charged, or handed in to be settled. Of a
 * company's rooms only those leave that the act names.
 */
async function leavingOf(
  read: Pick<Read, "tx">,
  { contractId, roomId }: { contractId: number; roomId: number },
): Promise<string | undefined> {
  const { rows } = await sql<{ kind: string }>`
    select kind from contract_act where contract_id = ${contractId} and (
      kind in ('settle', 'returnRooms', 'exchangeRooms') and state in ('inspecting', 'settling', 'handling')
        and (kind = 'settle' or payload->'roomIds' @> to_jsonb(${roomId}::bigint))
      or kind in ('changeRoom', 'changeTenant') and state in ('handling', 'signing', 'done')
        and not exists (select from bill b where b.id = bill_id and b.voided_at is null))
    order by id desc limit 1`.execute(read.tx);
  return rows[0]?.kind;
}
const CHANGES = ["changeRoom", "changeTenant"];

/** Who hands over writes the sheet in, whoever settles the sheet out; each only while its time is. */
async function refuseOther(
  act: Act,
  contract: ContractRecord,
  { kind, roomId, doneOn }: Body,
): Promise<void> {
  const leaving = kind === "out" ? await leavingOf(act, { contractId: contract.id, roomId }) : undefined;
  const moves = leaving !== undefined && CHANGES.includes(leaving);
  const may =
    kind === "in"
      ? [permitOf(contract.kind, "edit")]
      : moves
        ? (["96.edit"] as const)
        : (["72.edit", ...(contract.kind === "company" ? ["#1108" as const] : [])] as const);
  if (!may.some((permit) => act.who.permits.has(permit))) throw forbidden();
  // who has moved may hand back the keys of the room before some days after
  if (!isInForce(contract.state) && !moves)
    throw new Refusal("notAllowed", `合同不在租期内，不能登记${SHEET_KINDS[kind][0]}`, 409);
  if (doneOn > act.today) throw invalid({ field: "doneOn", msg: "日期不能晚于今天" });
  if (kind === "in" && act.today < addDays(contract.start!, -HANDOVER_AHEAD_DAYS))
    throw new Refusal("notAllowed", `起租日前 ${HANDOVER_AHEAD_DAYS} 天内才能办理入住`, 409);
  if (kind === "in" && (await keptSheet(act, { contractId: contract.id, roomId, kind: "out" })))
    throw new Refusal("notAllowed", "已登记退房验房单，不能再修改入住交接单", 409);
  if (kind === "out" && !leaving)
    throw new Refusal("notAllowed", "请先登记退房申请；已提交的结算请先编辑，退回结算中再验房", 409);
}

/** Saves the sheet of a room. What was signed before is signed no more once anything of it is another. */
export async function save(
  act: Act,
  contractId: number,
  body: Body,
): Promise<{ id: number; version: number }> {
  const contract = await contractRecord(act, contractId, true);
  const { kind, roomId, version } = body;
  const { name } = roomOf(contract, roomId);
  await refuseOther(act, contract, body);
  const of = { contractId, roomId };
  const before = await keptSheet(act, { ...of, kind });
  asSeen(before ?? UNSAVED, version);
  const inSheet = kind === "out" ? await keptSheet(act, { ...of, kind: "in" }) : undefined;
  if (inSheet && body.doneOn < inSheet.doneOn)
    throw invalid({ field: "doneOn", msg: `退房验房不能早于入住交接（${inSheet.doneOn}）` });
  const priced = new Map(
    (inSheet?.items ?? (await roomItems(act, roomId))).map((i) => [
      i.name,
      kind === "in" ? i.listPrice : i.price,
    ]),
  );
  const starts = new Map(inSheet?.readings.map((r) => [r.meterNo, r.reading]));
  const items = body.items.map((item): Item => {
    const listPrice = priced.get(item.name) ?? null;
    return { ...item, listPrice, price: item.price ?? listPrice ?? 0 };
  });
  const readings = body.readings.map((r): Reading => ({
    ...r,
    start: kind === "in" ? null : (starts.get(r.meterNo) ?? r.start ?? null),
    price: r.price ?? null,
  }));
  const last = new Map(
    (await lastReadings(act, roomId, before?.id ?? null)).map((r) => [r.meterNo, r.reading]),
  );
  const keys = {
    keys: body.keys,
    cards: body.cards,
    keyPrice: kind === "out" ? (body.keyPrice ?? null) : null,
    cardPrice: kind === "out" ? (body.cardPrice ?? null) : null,
  };
  const wrong = sheetErrors({ kind, items, readings, ...keys }, last, inSheet);
  if (wrong.length) throw invalid(...wrong);
  const row = {
    doneOn: body.doneOn,
    items: JSON.stringify(items),
    readings: JSON.stringify(readings),
    ...keys,
    note: body.note,
    operatorId: act.who.operatorId,
    signedFileIds: body.scanIds,
    ...stamp(act),
  };
  const saved = before
    ? await revise(act, "handoverSheet", { id: before.id, version }, row)
    : await act.tx
        .insertInto("handoverSheet")
        .values({ ...of, kind, ...row, createdBy: act.who.operatorId })
        .onConflict((on) => on.doNothing())
        .returning(["id", "version"])
        .executeTakeFirst();
  if (!saved) throw stale();
  const { id } = saved;
  const carrier = {
    targetKind: "handoverSheet",
    targetId: id,
    villageId: contract.villageId,
    needs: [permitOf(contract.kind, "get"), "72.get", "96.get"] as const,
  };
  await attachFiles(
    act,
    [...items, ...readings].flatMap((line) => line.fileIds).concat(body.scanIds),
    carrier,
  );
  if (body.signature) {
    const png = { name: DRAWN, type: "image/png", bytes: drawn(body.signature, "signature") };
    const file = await keepFile(act, png, carrier);
    await act.tx
      .updateTable("handoverSheet")
      .set({ signedFileIds: [...body.scanIds, file.id] })
      .where("id", "=", id)
      .execute();
  }
  if (body.signature || body.scanIds.length) await keepWording(act, sheetDocument(contract, id), true);
  const broken = (
    kind === "out"
      ? [...brokenSince(inSheet?.items ?? [], items), ...lostKeys(inSheet, keys)]
      : items.filter((i) => isBroken(i.condition))
  )
    .map((i) => i.name)
    .join("、");
  await act.note(
    contractNote(
      contract,
      SHEET_KINDS[kind][0],
      `${before ? "修改" : "登记"} ${name} ${SHEET_KINDS[kind][0]}${broken && `，损坏或缺失：${broken}`}`,
    ),
  );
  return { id, version: saved.version };
}
