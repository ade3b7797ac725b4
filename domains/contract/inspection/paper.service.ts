import { placesIn, withPictures } from "../../../platform/server/pdf/pdf-append.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { bytesOfFile } from "../../system/file/file.service.ts";
import type { ContractRecord } from "../contract/record.queries.ts";
import { handoverContent } from "../document/handover.rules.ts";
import { leaseFacts } from "../paper/paper.queries.ts";
import { type Document, documentFile } from "../template/document.service.ts";
import type { Sheet } from "./inspection.contract.ts";
import { keptSheet } from "./inspection.queries.ts";
import { CONDITIONS, METERS, SHEET_KINDS, brokenSince, isBroken, lostKeys } from "./inspection.rules.ts";

/** What a signature that was drawn on a sheet is called among its scans. */
export const DRAWN = "手写签名.png";
const HAND = { width: 140, height: 56 };

export const sheetDocument = (
  { villageId, kind }: ContractRecord,
  recordId: number,
): Document & { recordId: number } => ({
  docKind: "handoverSheet",
  recordId,
  villageId,
  contractKind: kind,
});

/** 交接单 as PDF in the words of its template, with the signature that the tenant drew. */
export async function handoverFile(read: Read, contract: ContractRecord, sheet: Sheet) {
  const room = sheet.roomName;
  const out = sheet.kind === "out";
  const before =
    out && (await keptSheet(read, { contractId: contract.id, roomId: sheet.roomId, kind: "in" }));
  const lost = before ? lostKeys(before, sheet) : [];
  const charged = new Set(
    [...brokenSince(before ? before.items : [], sheet.items), ...lost].map((i) => i.name),
  );
  // what was so when it was handed over is no claim of the paper either
  const stood = ({ name, condition }: Sheet["items"][number]) =>
    out && isBroken(condition) && !charged.has(name) && `入住时已${CONDITIONS[condition][0]}，不赔偿`;
  const content = handoverContent({
    lease: await leaseFacts(read, contract),
    sheetNo: `JJ${String(sheet.id).padStart(8, "0")}`,
    kind: sheet.kind,
    doneOn: sheet.doneOn,
    roomNames: [room],
    keys: sheet.keys,
    cards: sheet.cards,
    operator: sheet.operatorName,
    remark: sheet.note,
    readings: sheet.readings.map(({ kind, meterNo, start, reading }) => ({
      room,
      meter: METERS[kind][0],
      meterNo,
      start: start ?? "",
      reading,
    })),
    items: [...sheet.items, ...lost].map((item) => ({
      room,
      name: item.name,
      quantity: item.quantity,
      condition: CONDITIONS[item.condition][0],
      price: item.price,
      note: [item.reason, stood(item)].filter(Boolean).join("，"),
    })),
    open: !sheet.signed,
  });
  const name = `${SHEET_KINDS[sheet.kind][0]}_${contract.contractNo}`;
  const file = await documentFile(read, sheetDocument(contract, sheet.id), { ...content, name });
  const ink = sheet.scans.find((scan) => scan.name === DRAWN);
  const place = ink && (await placesIn(file.body)).get("signature-1");
  if (!place) return file;
  const png = await bytesOfFile(read, ink.id);
  const at = { ...place, x: place.x + 20, y: place.y + 4 };
  return { ...file, body: await withPictures(file.body, [{ png, place: at, ...HAND }]) };
}
