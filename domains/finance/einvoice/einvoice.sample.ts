import type { TestHouse } from "../../../platform/server/process/house.sample.ts";
import type { Sent } from "../../../platform/kernel/call.ts";
import { addConf, editConf, enableConf, getConf, setItem } from "./einvoice.contract.ts";
import type { Behaviour } from "./einvoice.rules.ts";

export const CONF_PERMITS = [
  "101.query",
  "101.get",
  "101.add",
  "101.edit",
  "101.enable",
  "101.disable",
  "101.export",
  "#10101",
];
/** A credit code with its right check character. */
export const SELLER_NO = "91330106MA2B2ABC74";

export type ConfBody = Sent<typeof addConf>["body"];
export const aConfBody = (villageIds: number[], more: Partial<ConfBody> = {}): ConfBody => ({
  driver: "simulator",
  sellerName: "青禾公寓管理有限公司",
  taxNo: SELLER_NO,
  address: "杭州市滨江区江南大道 100 号",
  phone: "0571-88886666",
  bank: "杭州滨江支行",
  account: "6222020200011234567",
  defaultKind: "general",
  perInvoiceLimit: 10_000_000,
  invoiceBasis: "paid",
  drawer: "周敏",
  villageIds,
  ...more,
});

/** A rent that is leased property, and what else is charged, at their usual rates from the beginning. */
export const ITEMS = {
  rent: {
    taxMode: "reduced15",
    taxRate: 0,
    itemCode: "3040502020200000000",
    itemName: "租金",
    element: "lease",
  },
  property: {
    taxMode: "rate",
    taxRate: 0.06,
    itemCode: "3040801010000000000",
    itemName: "物业费",
    element: "none",
  },
} as const;

/** An enabled configuration of some stores with its items. The person sees all stores and sets up everything. */
export async function aConf(
  house: TestHouse,
  villageIds: number[],
  more: Partial<ConfBody> = {},
  further: Record<string, object> = {},
) {
  const admin = await house.person({ superType: "1" });
  const { id } = await house.did(addConf, { as: admin }, { body: aConfBody(villageIds, more) });
  const item = async (code: string, given: object) => {
    const { id: feeSubjectId } = await house.database.db
      .selectFrom("feeSubject")
      .select("id")
      .where("code", "=", code)
      .where("enterpriseId", "=", house.enterpriseId)
      .executeTakeFirstOrThrow();
    const body = { feeSubjectId, fromDay: "2026-01-01", ...given };
    const before = await house.database.db
      .selectFrom("einvoiceItem")
      .select("version")
      .where("configId", "=", id)
      .where("feeSubjectId", "=", feeSubjectId)
      .where("fromDay", "=", body.fromDay)
      .executeTakeFirst();
    const version = before?.version ?? 0;
    await house.did(setItem, { as: admin }, { params: { id }, body: { ...body, version } as never });
  };
  for (const [code, given] of Object.entries({ ...ITEMS, ...further })) await item(code, given);
  const detail = () => house.did(getConf, { as: admin }, { params: { id } });
  const enable = async () =>
    house.did(enableConf, { as: admin }, { params: { id }, body: { version: (await detail()).version } });
  await enable();
  /** Changes some of its settings; another driver has it enabled anew. */
  const change = async (to: Partial<ConfBody>) => {
    const { creditWarn, ...now } = await detail();
    const body = { ...aConfBody(now.villageIds), ...now, creditWarn, ...to, version: now.version };
    await house.did(editConf, { as: admin }, { params: { id }, body });
  };
  const behave = (behaviour: Behaviour) => change({ behaviour });
  return { id, admin, item, detail, enable, change, behave };
}
export type ConfMade = Awaited<ReturnType<typeof aConf>>;
