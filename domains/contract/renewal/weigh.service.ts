import { addDays } from "../../../platform/kernel/day.ts";
import { isAmount } from "../../../platform/kernel/fen.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { refuseOpenAct } from "../act/act.queries.ts";
import { type ContractRecord, contractRecord } from "../contract/record.queries.ts";
import { roomFacts } from "../contract/facts.queries.ts";
import { weighDrawn } from "../preview/preview.service.ts";
import { agreed, rentsOn } from "../succession/agreed.rules.ts";
import { successionRefusal } from "../succession/succession.queries.ts";
import { roomsLeft } from "../succession/succession.rules.ts";
import { renewalOf, takenOver } from "../successor/ask.service.ts";
import type { RenewalAsk, SucceedPreview } from "../successor/successor.contract.ts";
import { weighSuccession } from "../successor/weigh.service.ts";
import { isAttached } from "../terms/product.rules.ts";
import { type Rise, renewedRent } from "./renewal.rules.ts";

/** What a renewal would come to, by the code that draws and signs it; nothing is stored. Refused where it cannot be asked for. */
export async function weighRenewal(read: Read, ask: RenewalAsk): Promise<SucceedPreview> {
  const previous = await contractRecord(read, ask.contractId);
  const next = await renewalOf(read, previous, ask);
  await refuseOpenAct(read, previous.id, "renew");
  const { kind, start, end, terms, ways } = next;
  const gone = await successionRefusal(read, previous, { id: null, kind, start, ...ways });
  if (gone) throw new Refusal("notAllowed", gone, 409);
  const { takeOver, facts } = await takenOver(read, previous, next);
  const contract: ContractRecord = {
    ...previous,
    id: 0,
    contractNo: "",
    state: "draft",
    start,
    end,
    anchorDate: null,
    terms: { ...terms, takeOver },
    rooms: next.rooms.map(({ roomId, monthlyRent, unitPrice }, i) => ({
      ...facts[i]!,
      roomId,
      monthlyRent,
      unitPrice: unitPrice ?? null,
      role: isAttached(facts[i]!.kind) ? "attached" : "main",
      joinDate: start,
      leaveDate: null,
    })),
    previousId: previous.id,
    nextId: null,
    source: "renewal",
    lessor: null,
    previewHash: null,
    blackListForbids: false,
    submittedBy: null,
    sendsLinks: false,
    creditReason: null,
  };
  const drawn = await weighDrawn(read, contract, [], undefined);
  const shown = await weighSuccession(read, contract, { payload: ways }, drawn);
  return { ...shown, contract: { ...shown.contract, contractId: previous.id } };
}

type Rents = RenewalAsk["rents"];

/** The rents that a rule makes of those on the last day, room by room. */
async function risen(read: Read, contractId: number, rise: Rise): Promise<Rents> {
  const previous = await contractRecord(read, contractId);
  if (!previous.end) throw new Refusal("notAllowed", "草稿合同不能续租", 409);
  const before = agreed(previous);
  const last = rentsOn(before, previous.end);
  const roomIds = roomsLeft(before).map((r) => r.roomId);
  const facts = await roomFacts(read, roomIds, addDays(previous.end, 1));
  return roomIds.map((roomId, i) => {
    const { name = "", listPrice = null } = facts[i] ?? {};
    const monthlyRent = renewedRent(rise, last.get(roomId)!, listPrice);
    if (monthlyRent === undefined) throw new Refusal("notAllowed", `${name} 没有标价`, 409);
    if (monthlyRent <= 0 || !isAmount(monthlyRent))
      throw new Refusal("notAllowed", `${name} 的新月租须大于0且不超过99,999,999.99元`, 409);
    return { roomId, monthlyRent };
  });
}

type Weighed = { contractId: number; refusal: string | null; rents: Rents; preview: SucceedPreview | null };

/** The same of many, each for itself: with what stands in the way of one instead of its figures. */
export async function weighRenewals(
  read: Read,
  asks: readonly (RenewalAsk & { rise?: Rise | null | undefined })[],
): Promise<{ rows: Weighed[] }> {
  const rows: Weighed[] = [];
  for (const { rise, ...ask } of asks) {
    const { contractId } = ask;
    try {
      const rents = rise ? await risen(read, contractId, rise) : ask.rents;
      rows.push({ contractId, refusal: null, rents, preview: await weighRenewal(read, { ...ask, rents }) });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const refusal = error.fields[0]?.msg ?? error.message;
      rows.push({ contractId, refusal, rents: ask.rents, preview: null });
    }
  }
  return { rows };
}
