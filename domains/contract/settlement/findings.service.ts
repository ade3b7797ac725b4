import { yuan } from "../../../platform/kernel/fen.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { subjectsFor } from "../../finance/subject/subject.service.ts";
import { type ContractRecord, stillLet } from "../contract/record.queries.ts";
import { sheetsOf } from "../inspection/inspection.queries.ts";
import { CONDITIONS, brokenSince, lostKeys } from "../inspection/inspection.rules.ts";
import type { Charge } from "./charge.service.ts";
import { fitted, usedOf, workedOut } from "./settlement.rules.ts";

/** Broken or missing things have their photos on the sheet. */
const PICTURED = "见退房验房单照片";

/**
 * What the sheets of the rooms that are left propose to charge: what is broken since moving in, keys that did not come back, and what was used. Where no rooms are
 * named it is all that were not given back before, as those were charged then.
 */
export async function findingsOf(
  read: Read,
  contract: ContractRecord,
  roomIds: readonly number[] | undefined,
): Promise<Charge[]> {
  const rooms = new Set(roomIds?.length ? roomIds : stillLet(contract).letRoomIds);
  const sheets = (await sheetsOf(read, contract.id)).filter((s) => rooms.has(s.roomId));
  const subjects = await subjectsFor(read, [contract.villageId]);
  const subject = (code: string) => subjects.find(contract.villageId, code);
  return sheets.flatMap((out): Charge[] => {
    if (out.kind !== "out") return [];
    const before = sheets.find((s) => s.kind === "in" && s.roomId === out.roomId);
    const missed = [...brokenSince(before?.items ?? [], out.items), ...lostKeys(before, out)];
    const broken = missed.flatMap((item): Charge[] => {
      const quantity = String(item.quantity);
      const amount = workedOut(quantity, item.price);
      if (!amount) return [];
      const title = fitted(item.name, CONDITIONS[item.condition][0], 30);
      const of = { kind: "damage" as const, feeId: subject("damage").id, clause: "交接单" };
      return [{ ...of, title, quantity, price: item.price, amount, note: item.reason || PICTURED }];
    });
    const used = out.readings.flatMap(({ kind, meterNo, start, reading, price }): Charge[] => {
      const quantity = usedOf(start ?? reading, reading);
      const amount = price ? workedOut(quantity, price) : undefined;
      if (!amount) return [];
      const { id: feeId, name: title } = subject(kind);
      const note = fitted(meterNo, ` ${start} → ${reading}`, 50);
      return [{ kind: "utility", feeId, title, quantity, price, amount, clause: "", note }];
    });
    return [...broken, ...used];
  });
}

/** Says what of it a settlement leaves out: a name with another price or note was looked at. */
export async function leftOut(
  read: Read,
  contract: ContractRecord,
  charges: readonly Pick<Charge, "kind" | "title">[],
): Promise<string[]> {
  const left = (await findingsOf(read, contract, undefined)).filter(
    ({ kind, title }) => !charges.some((c) => c.kind === kind && c.title === title),
  );
  if (!left.length) return [];
  const names = [...new Set(left.map((c) => c.title))];
  const some = names.slice(0, 3).join("、") + (names.length > 3 ? " 等" : "");
  const sum = left.reduce((fen, c) => fen + c.amount, 0);
  return [`验房单有 ${left.length} 项扣款没有列入结算：${some}，${yuan(sum)} 元；需要扣的请在编辑结算中带入`];
}
