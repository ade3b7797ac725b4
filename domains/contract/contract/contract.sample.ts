import { counter } from "../../../platform/server/database/counter.sample.ts";
import { randomUUID } from "node:crypto";
import type { Person, TestHouse } from "../../../platform/server/process/house.sample.ts";
import { renterInput } from "../../customer/renter/renter.contract.ts";
import { createRenter } from "../../customer/renter/renter.service.ts";
import { seedSubjects } from "../../finance/subject/subject.service.ts";
import {
  aBuilding,
  acting,
  aFlat,
  aVillage,
  type BuildingMade,
} from "../../listing/village/village.sample.ts";
import { endAfter } from "../schedule/months.rules.ts";
import { previewContract } from "../preview/preview.contract.ts";
import { signOfflineContract, submitContract } from "../signing/signing.contract.ts";
import { DEFAULT_TERMS } from "../terms/plans.rules.ts";
import type { ContractForm } from "../terms/terms.contract.ts";
import { createContract } from "../drafting/draft.contract.ts";

/** What a leasing clerk holds who may do everything about tenants' contracts but override. */
export const LEASING = ["9.query", "9.get", "9.add", "9.edit", "9.delete", "9.export", "#901", "#902"];

export type Shop = {
  villageId: number;
  building: BuildingMade;
  roomId: number;
  partyId: number;
  clerk: Person;
};

/** A village with one room at 3,000.00, a tenant, and a clerk who works there. */
export async function aShop(
  house: TestHouse,
  more: { permits?: string[]; listPrice?: number; village?: string } = {},
): Promise<Shop> {
  const villageId = await aVillage(house, more.village ? { name: more.village } : {});
  const building = await aBuilding(house, villageId);
  await seedSubjects({ tx: house.database.db }, house.enterpriseId);
  const roomId = await aRoom(house, building, "1203", more.listPrice);
  const partyId = await aRenter(house, villageId);
  const clerk = await house.person({ permits: [...LEASING, ...(more.permits ?? [])], villages: [villageId] });
  return { villageId, building, roomId, partyId, clerk };
}

export async function aRoom(house: TestHouse, building: BuildingMade, name: string, listPrice?: number) {
  const flat = await aFlat(house, building, { name, ...(listPrice && { listPrice }) });
  return flat.roomIds[0]!;
}

const next = counter();
/** A grown-up without certificate, unless told otherwise. */
export async function aRenter(
  house: TestHouse,
  villageId: number,
  more: Partial<ReturnType<typeof renterInput.parse>> = {},
): Promise<number> {
  const input = renterInput.parse({
    name: "张三",
    phone: `138${String(next()).padStart(8, "0")}`,
    source: "walkIn",
    homeVillageId: villageId,
    ...more,
  });
  return (await acting(house, (act) => createRenter(act, input), { villages: [villageId] })).id;
}

/** 押一付三 at 3,500.00 for a year from 15 March 2026, due 7 days ahead: example E3 of the trade. */
export function aForm(
  shop: Pick<Shop, "villageId" | "roomId" | "partyId">,
  { months = 12, rent = 350_000, ...more }: Partial<ContractForm> & { months?: number; rent?: number } = {},
): ContractForm {
  const start = more.start ?? "2026-03-15";
  return {
    ...DEFAULT_TERMS,
    kind: "renter",
    villageId: shop.villageId,
    partyId: shop.partyId,
    start,
    end: endAfter(start, months),
    rooms: [{ roomId: shop.roomId, monthlyRent: rent }],
    occupants: [],
    remark: "",
    ...more,
  };
}

/** A scan that the clerk has uploaded and not yet hung on anything. */
export async function aScan(house: TestHouse, as: Person): Promise<number> {
  const bytes = Buffer.from(`%PDF-1.7\n% ${randomUUID()}\n%%EOF\n`);
  const { key, sha256, size } = await house.files.put(bytes);
  const { id } = await house.database.db
    .insertInto("storedFile")
    .values({
      name: "合同.pdf",
      type: "application/pdf",
      size,
      sha256,
      storageKey: key,
      createdBy: as.operatorId,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** Types a form in, looks at the preview and hands it in; the room is held. */
export async function submitted(house: TestHouse, as: Person, form: ContractForm) {
  const draft = await house.did(createContract, { as }, { body: form });
  const preview = await house.did(previewContract, { as }, { body: { id: draft.id } });
  const { previewHash } = preview;
  await house.did(submitContract, { as }, { params: { id: draft.id }, body: { previewHash } });
  return { id: draft.id, contractNo: draft.contractNo, preview };
}

/** From the form to the signed paper: a contract in force with all its bills. */
export async function signed(house: TestHouse, as: Person, form: ContractForm, signedOn: string) {
  const held = await submitted(house, as, form);
  const { id } = held;
  const fileIds = [await aScan(house, as)];
  const { previewHash } = held.preview;
  const body = { fileIds, signedOn, previewHash };
  const done = await house.did(signOfflineContract, { as }, { params: { id }, body });
  return { ...held, bills: done.bills, version: done.version };
}
