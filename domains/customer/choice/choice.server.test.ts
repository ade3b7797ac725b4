import { beforeAll, describe, expect, test } from "vitest";
import { testHouse, type Person } from "../../../platform/server/process/house.sample.ts";
import { recordHistory } from "../../system/log/log.contract.ts";
import { aCompany, aCreditCode, aMerchant } from "../firm/firm.sample.ts";
import { aVillage } from "../../listing/village/village.sample.ts";
import { listRenters } from "../renter/renter.contract.ts";
import { aRenter } from "../renter/renter.sample.ts";
import { linkByNumber, partyOptions } from "./choice.contract.ts";

const house = await testHouse();
house.setClock("2026-11-20T09:00:00+08:00");
const ALL = ["16", "106", "113"].flatMap((c) => ["query", "get", "add", "edit"].map((a) => `${c}.${a}`));
let here: number, there: number, clerk: Person, consultant: Person, far: Person;
const creditCode = aCreditCode();

beforeAll(async () => {
  [here, there] = [await aVillage(house), await aVillage(house)];
  clerk = await house.person({ permits: [...ALL, "15.add"], villages: [here] });
  consultant = await house.person({ permits: ["15.query", "15.add", "15.edit"], villages: [here] });
  far = await house.person({ permits: [...ALL, "15.add"], villages: [there] });
  await aRenter(house, here, { name: "苏瑾", phone: "13911112222" });
  await aCompany(house, clerk, here, { name: "云栖软件有限公司", creditCode });
  await aMerchant(house, clerk, here, { name: "晨光早餐店", brand: "晨光" });
});

type Kind = "renter" | "company" | "merchant";
const asked = (as: Person, kind: Kind, keyword: string) =>
  house.did(partyOptions, { as }, { query: { kind, keyword } });
const names = async (as: Person, kind: Kind, keyword: string) =>
  (await asked(as, kind, keyword)).list.map((o) => o.name);

describe("who may read the list", () => {
  test("finds by name, by the end of a phone and by a whole number, with what should be known", async () => {
    expect(await names(clerk, "renter", "苏")).toEqual(["苏瑾"]);
    expect(await names(clerk, "renter", "2222")).toEqual(["苏瑾"]);
    expect(await names(clerk, "company", creditCode)).toEqual(["云栖软件有限公司"]);
    expect(await names(clerk, "merchant", "晨光")).toEqual(["晨光早餐店"]);
    const { list } = await asked(clerk, "company", "云栖");
    expect(list).toEqual([
      expect.objectContaining({
        kind: "company",
        phone: "137****0001",
        number: creditCode,
        stage: "意向",
        black: "none",
        arrears: 0,
      }),
    ]);
    expect(list[0]!.villages).not.toBe("");
  });

  test("has those named that a form has chosen, of whatever kind", async () => {
    const ids = (
      await Promise.all((["renter", "company", "merchant"] as const).map((k) => asked(clerk, k, "")))
    )
      .flatMap(({ list }) => list.map((o) => o.id))
      .join(",");
    const { list } = await house.did(partyOptions, { as: clerk }, { query: { ids } });
    expect(list.map((o) => o.kind).toSorted()).toEqual(["company", "merchant", "renter"]);
    expect((await house.did(partyOptions, { as: far }, { query: { ids } })).list).toEqual([]);
  });
});

test("an operator with 14 and 15 only is refused the list, and finds by a whole phone alone, masked", async () => {
  expect((await house.ask(listRenters, { as: consultant }, { query: {} })).status).toBe(403);
  expect(await names(consultant, "renter", "")).toEqual([]);
  expect(await names(consultant, "renter", "苏")).toEqual([]);
  expect(await names(consultant, "renter", "2222")).toEqual([]);
  const { list } = await asked(consultant, "renter", "13911112222");
  expect(list).toEqual([expect.objectContaining({ name: "苏*", phone: "139****2222" })]);
  expect(await names(consultant, "company", creditCode)).toEqual(["云*"]);
  // trying ids tells nothing of the customers behind them
  const everybody = await Promise.all(
    (["renter", "company", "merchant"] as const).map((k) => asked(clerk, k, "")),
  );
  const ids = everybody.flatMap((of) => of.list.map((o) => o.id)).join(",");
  const tried = await house.did(partyOptions, { as: consultant }, { query: { ids } });
  const bare = { phone: "", number: "", stage: "", villages: "", black: "none", arrears: 0 };
  expect(tried.list).toHaveLength(everybody.flatMap((of) => of.list).length);
  for (const one of tried.list) expect(one).toMatchObject({ ...bare, name: expect.stringMatching(/^.\*+$/) });
});

describe("somebody of another store", () => {
  test("is only hinted at, and linked by whoever knows the whole number; the link is on record", async () => {
    expect((await asked(far, "renter", "苏")).known).toBeNull();
    const hint = await asked(far, "renter", "13911112222");
    expect(hint).toEqual({ list: [], known: { maskedName: "苏*" } });
    const link = (keyword: string) =>
      house.ask(linkByNumber, { as: far }, { body: { kind: "renter", keyword, villageId: there } });
    expect((await link("13911113333")).body.fields).toEqual([{ field: "keyword", msg: "没有找到该客户" }]);
    const { id } = (await link("13911112222")).body.data;
    expect(await names(far, "renter", "13911112222")).toEqual(["苏瑾"]);
    const log = await house.did(
      recordHistory,
      { as: far },
      { params: { kind: "renter", recordId: id }, query: {} },
    );
    expect(log.list[0]).toMatchObject({ action: "关联" });
  });

  test("a company by its credit code; a store out of scope is not there", async () => {
    const body = { kind: "company" as const, keyword: creditCode, villageId: there };
    expect((await house.ask(linkByNumber, { as: clerk }, { body })).status).toBe(404);
    expect((await house.ask(linkByNumber, { as: far }, { body })).status).toBe(200);
    expect(await names(far, "company", "云栖")).toEqual(["云栖软件有限公司"]);
  });
});
