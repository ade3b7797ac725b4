import { invalid } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { type ContractRecord, recordById } from "../contract/record.queries.ts";
import { keptParties, roomFacts } from "../contract/facts.queries.ts";
import type { ContractForm, TakeOver } from "../terms/terms.contract.ts";
import { termsOf } from "../terms/terms.rules.ts";
import { actBehind, takeOverOf } from "./succession.queries.ts";

/** The record that stands for the party of a contract: another one, where its own was merged. */
export const partyKept = async (
  read: Pick<Read, "tx">,
  { partyId }: ContractRecord,
): Promise<number | null> => partyId && (await keptParties(read, [partyId])).get(partyId)!;

const same = (a: readonly number[], b: readonly number[]) =>
  a.length === b.length && a.every((id) => b.includes(id));

/**
 * What a draft takes over, worked out for the form that is being saved; null for one that comes after none. Refused where the
 * form leaves what its act fixed: rooms, first day, party.
 */
export async function keptTakeOver(
  read: Read,
  contract: ContractRecord,
  form: ContractForm,
): Promise<TakeOver | null> {
  const { takeOver } = contract.terms;
  if (!contract.previousId || !takeOver) return null;
  const word = { renewal: "续租", changeRoom: "换房", changeTenant: "转租" }[takeOver.kind];
  if (form.start !== contract.start) throw invalid({ field: "start", msg: `${word}合同的起租日不能修改` });
  if (form.partyId !== contract.partyId && form.partyId !== (await partyKept(read, contract)))
    throw invalid({ field: "partyId", msg: `${word}合同的客户不能修改，请取消后重新办理` });
  const rooms = (list: readonly { roomId: number }[]) => list.map((r) => r.roomId);
  if (!same(rooms(form.rooms), rooms(contract.rooms)))
    throw invalid({ field: "rooms", msg: `${word}合同的房间不能修改，请取消后重新办理` });
  if (!form.end || form.end < contract.start!)
    throw invalid({ field: "end", msg: "结束日期不能早于开始日期" });
  const previous = (await recordById(read, contract.previousId))!;
  const facts = await roomFacts(read, rooms(form.rooms), contract.start!);
  const { payload } = (await actBehind(read, contract.id))!;
  return takeOverOf(
    read,
    previous,
    {
      kind: takeOver.kind,
      swapWith: takeOver.swapWith,
      start: contract.start!,
      end: form.end,
      terms: termsOf(form),
      rooms: form.rooms.map((room, i) => ({
        ...room,
        unitPrice: room.unitPrice ?? null,
        area: facts[i]?.area ?? null,
      })),
    },
    payload.deposit,
  );
}
