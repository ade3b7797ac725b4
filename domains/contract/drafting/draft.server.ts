import { addDays, addMonths } from "../../../platform/kernel/day.ts";
import { maskPhone } from "../../../platform/kernel/texts/mask.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { inScope, seen } from "../../../platform/server/pipeline/scope.ts";
import { aRow } from "../../../platform/server/database/row.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { creditUse } from "../../customer/company/credit.service.ts";
import { outlookOf } from "../../customer/commission/outlook.service.ts";
import { offered } from "../../system/dic/dic.service.ts";
import { signSettingsOf } from "../config/sign.service.ts";
import { configOf, enterpriseOf, startingTerms } from "../config/config.service.ts";
import { admit, demand } from "../contract/contract.queries.ts";
import { type ContractKind } from "../terms/kind.rules.ts";
import type { Terms } from "../terms/terms.contract.ts";
import { contractRecord, nextOf } from "../contract/record.queries.ts";
import {
  type TakenRow,
  roomFacts,
  takenBetween,
  titlesFor,
  arrearsOf,
  partyFact,
  feeChoices,
  productsOf,
  signers,
} from "../contract/facts.queries.ts";
import { formOf } from "../preview/preview.service.ts";
import { removeDraft } from "../signing/end.service.ts";
import { keptTakeOver, partyKept } from "../succession/fixed.queries.ts";
import { xlsxReply } from "../../../platform/server/sheets/sheet-template.ts";
import { templateOf } from "../../system/import/template.service.ts";
import {
  agentOutlook,
  createContract,
  deleteContract,
  formData,
  readForm,
  readRoomFile,
  roomFileTemplate,
  saveContract,
} from "./draft.contract.ts";
import { ROOM_SHEET, roomsOfFile } from "./room-file.service.ts";
import { saveDraft } from "./draft.service.ts";

type For = { partyId: number | null; contractId: number | undefined };

/** The contracts that give their rooms to a draft: itself, the one it comes after, and the one that it swaps with. */
async function givers(read: Read, contractId: number | undefined): Promise<(number | null)[]> {
  if (contractId === undefined) return [];
  const { previousId, terms } = seen(
    read.who,
    await aRow(read, "contract", ["villageId", "previousId", "terms"], { id: contractId }),
  );
  return [contractId, previousId, (terms as Partial<Terms> | null)?.takeOver?.swapWith ?? null];
}

/** The rooms with what stands on their timelines from a month before the term to a month after it. */
async function roomCards(
  read: Read,
  villageId: number,
  ids: readonly number[],
  { start, end, partyId, contractId }: For & { start: string; end: string },
) {
  const rooms = (await roomFacts(read, ids, start)).filter((r) => r.villageId === villageId);
  const roomIds = rooms.map((r) => r.roomId);
  const [from, to] = [addDays(start, -31), addDays(end, 31)];
  const taken = await takenBetween(read, roomIds, from, to, null);
  const others = await takenBetween(read, roomIds, from, to, await givers(read, contractId), partyId);
  const keyOf = (t: TakenRow) => `${t.roomId} ${t.from} ${t.label}`;
  const inTheWay = new Set(others.map(keyOf));
  const products = await productsOf(read, roomIds);
  const seesLowest = read.who.permits.has("#601");
  return rooms.map((room) => ({
    ...room,
    lowestPrice: seesLowest ? room.lowestPrice : null,
    timeline: taken
      .filter((t) => t.roomId === room.roomId)
      .map((t) => ({ ...t, aside: !inTheWay.has(keyOf(t)) })),
    product: products.get(room.roomId) ?? null,
  }));
}

async function partyCard(read: Read, partyId: number, kind: ContractKind) {
  const party = await partyFact(read, partyId, kind);
  if (!party) return null;
  return {
    ...party,
    phone: maskPhone(party.phone),
    certificate: party.certMasked ?? "",
    guardianPhone: party.guardianPhone && maskPhone(party.guardianPhone),
    credit: (kind === "company" && (await creditUse(read, partyId))) || null,
    titles: kind === "renter" ? [] : await titlesFor(read, partyId),
    arrears: await arrearsOf(read, partyId, null),
  };
}

export default [
  serveRead(readRoomFile, (read, { files: [file] }) => roomsOfFile(read, file)),
  serveRead(roomFileTemplate, async (read) =>
    xlsxReply("房间导入模板.xlsx", await templateOf(read, ROOM_SHEET, {})),
  ),
  serveRead(formData, async (read, { query }) => {
    demand(read.who, query.kind, formData.needs);
    const villageId = inScope(read.who, query.villageId);
    const enterpriseId = await enterpriseOf(read, villageId);
    const start = query.start ?? read.today;
    const [config, { offlineAllowed }, rooms, fees, people, party, channels] = await Promise.all([
      configOf(read, { enterpriseId, villageId }),
      signSettingsOf(read, { enterpriseId, villageId }),
      roomCards(read, villageId, query.roomIds ?? [], {
        ...{ start, end: query.end ?? addMonths(start, 12) },
        ...{ partyId: query.partyId ?? null, contractId: query.contractId },
      }),
      feeChoices(read, enterpriseId),
      signers(read, enterpriseId, villageId),
      query.partyId ? partyCard(read, query.partyId, query.kind) : null,
      offered(read, "customer", "source"),
    ]);
    const terms = startingTerms(config);
    const known = { today: read.today, config: { ...config, offlineAllowed }, terms };
    return { ...known, rooms, party, fees, people, channels };
  }),
  serveRead(agentOutlook, async (read, { query: { contractId, partyId, ...query } }) => {
    demand(read.who, query.kind, agentOutlook.needs);
    const villageId = inScope(read.who, query.villageId);
    const draft = contractId === undefined ? undefined : await contractRecord(read, contractId);
    return outlookOf(read, {
      ...{ agentId: query.agentId, villageId, partyId: partyId ?? null },
      ...{ source: draft?.source ?? "new", previousId: draft?.previousId ?? null },
    });
  }),

  serve(createContract, (act, { body }) => saveDraft(act, body)),

  serve(saveContract, async (act, { params, body: { version, ...form } }) => {
    await admit(act, params.id, saveContract);
    const contract = await contractRecord(act, params.id, true);
    await nextOf(act, "edit", contract);
    const takeOver = await keptTakeOver(act, contract, form);
    const partyId = takeOver ? await partyKept(act, contract) : form.partyId;
    return saveDraft(act, { ...form, partyId }, { id: contract.id, version }, takeOver);
  }),

  serve(deleteContract, async (act, { params }) => {
    await admit(act, params.id, deleteContract);
    await removeDraft(act, params.id);
    return null;
  }),

  serveRead(readForm, async (read, { params }) => {
    await admit(read, params.id, readForm);
    const contract = await contractRecord(read, params.id);
    await nextOf(read, "edit", contract);
    const occupants = await read.tx
      .selectFrom("contractOccupant")
      .select(["id", "name", "phone", "certType", "gender", "relation", "lockAccess", "certNoMasked"])
      .where("contractId", "=", contract.id)
      .orderBy("id")
      .execute();
    const shown = occupants.map(({ certNoMasked, gender, ...o }) => ({
      ...o,
      gender: gender as "male" | "female" | null,
      certMasked: certNoMasked,
    }));
    const { contractNo, version } = contract;
    const partyId = contract.terms.takeOver ? await partyKept(read, contract) : contract.partyId;
    return { contractNo, version, form: { ...formOf(contract, []), partyId, occupants: shown } };
  }),
];
