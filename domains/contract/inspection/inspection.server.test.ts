import { textOfPdf } from "../paper/paper.sample.ts";
import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aPng } from "../../system/file/file.sample.ts";
import { aScan } from "../contract/contract.sample.ts";
import { findings, settlementActs } from "../settlement/settlement.contract.ts";
import { PERMITS, aSettler } from "../settlement/settlement.sample.ts";
import { handOver, undoHandover } from "../signing/signing.contract.ts";
import { listSheets, saveSheet, sheetFile, startSheet } from "./inspection.contract.ts";

const house = await testHouse();
const { shop, as, pool, lease, asked, row, submitted, confirm, subject, sound } = await aSettler(house);

const IN = {
  kind: "in" as const,
  doneOn: "2026-03-12",
  items: [
    { name: "空调", quantity: 1, condition: "good" as const, price: 80_000 },
    { name: "遥控器", quantity: 2, condition: "good" as const, price: 2_500 },
    { name: "书桌", quantity: 1, condition: "damaged" as const, price: 30_000 },
  ],
  readings: [{ kind: "electric" as const, meterNo: "E-101", reading: "3412.5" }],
  keys: 2,
  cards: 1,
};
const put = (id: number, roomId: number, body: object, who = as) =>
  house.ask(saveSheet, { as: who }, { params: { id }, body: { roomId, version: 0, ...body } as never });
const wrongs = async (...args: Parameters<typeof put>) => {
  const { body } = await put(...args);
  return (body.fields ?? []).map((f: { field: string; msg: string }) => [f.field, f.msg]) as string[][];
};
const sheets = async (id: number) => (await house.did(listSheets, { as }, { params: { id } })).sheets;
/** A lease whose room was handed over with its sheet; on the day of leaving. */
async function movedIn() {
  const contract = await lease();
  expect((await put(contract.id, contract.roomId, IN)).status).toBe(200);
  house.setClock("2026-08-05T10:00:00+08:00");
  return contract;
}
const out = (more: object = {}, photo: number[] = []) => ({
  ...IN,
  kind: "out" as const,
  doneOn: "2026-08-05",
  items: [
    { name: "空调", quantity: 1, condition: "good" },
    { name: "遥控器", quantity: 2, condition: "missing", price: 2_500, fileIds: photo },
    { name: "书桌", quantity: 1, condition: "damaged", fileIds: photo },
  ],
  readings: [{ kind: "electric", meterNo: "E-101", reading: "3540.5", price: 80 }],
  ...more,
});

test("moving in: the sheet begins with what stands in the room, is signed by hand, printed, and what changes is signed anew", async () => {
  const contract = await lease();
  const { id, roomId } = contract;
  const { rows: dic } = await pool.query<{ id: number }>(
    `insert into asset_dic (enterprise_id, name, category, unit, price, damage_price) values ($1, '床垫', 'furniture', '张', 120000, 60000)
     returning id`,
    [house.enterpriseId],
  );
  await pool.query(
    `insert into room_asset (enterprise_id, village_id, room_id, asset_dic_id, code, name, quantity, price)
     values ($1, $2, $3, $4, 'ZC-B1', '床垫', 1, 120000)`,
    [house.enterpriseId, shop.villageId, roomId, dic[0]!.id],
  );
  const start = await house.did(
    startSheet,
    { as },
    { params: { id }, query: { roomId, kind: "in" } as never },
  );
  expect(start.items.map((i) => [i.name, i.quantity, i.listPrice])).toEqual([["床垫", 1, 60_000]]);
  const items = [{ name: "床垫", quantity: 1, condition: "good" }];
  const ink = aPng().toString("base64");
  expect((await put(id, roomId, { ...IN, items, signature: ink })).status).toBe(200);
  const [sheet] = await sheets(id);
  expect(sheet).toMatchObject({ kind: "in", keys: 2, cards: 1, signed: true });
  expect(sheet!.items).toMatchObject([{ name: "床垫", price: 60_000, listPrice: 60_000 }]);
  const file = await house.ask(sheetFile, { as }, { params: { id, sheetId: sheet!.id } });
  expect(textOfPdf(file.raw).replaceAll(/\s/g, "")).toMatch(/房屋交接单.*入住.*床垫1完好600\.00/);
  // what the tenant drew stands where the tenant signs
  const hasPicture = (pdf: Buffer) => /\/Subtype\s*\/Image/.test(pdf.toString("latin1"));
  expect(hasPicture(file.raw)).toBe(true);
  // somebody who has seen the one before is told so; a change is to be signed again
  expect((await put(id, roomId, IN)).status).toBe(409);
  expect((await put(id, roomId, { ...IN, keys: 3, version: 1 })).status).toBe(200);
  expect((await sheets(id))[0]).toMatchObject({ keys: 3, signed: false, version: 2 });
  const again = await house.ask(sheetFile, { as }, { params: { id, sheetId: sheet!.id } });
  expect(hasPicture(again.raw)).toBe(false);
  expect(textOfPdf(again.raw)).toContain("待签字");
  expect(
    (await put(id, roomId, { ...IN, keys: 3, version: 2, scanIds: [await aScan(house, as)] })).status,
  ).toBe(200);
  expect((await sheets(id))[0]!.signed).toBe(true);
});

test("leaving: what is missing needs a photo, a higher price a reason, every meter its reading", async () => {
  const { id, roomId } = await movedIn();
  expect((await put(id, roomId, out())).body.message).toContain("请先登记退房申请");
  await asked(id, { charges: [] });
  const photo = [await aScan(house, as)];
  expect(await wrongs(id, roomId, out({ doneOn: "2026-03-11" }, photo))).toEqual([
    ["doneOn", "退房验房不能早于入住交接（2026-03-12）"],
  ]);
  expect(await wrongs(id, roomId, out())).toEqual([
    // the desk was damaged when it was handed over
    ["items.1.fileIds", "请上传“遥控器”的照片"],
  ]);
  const gone = out({}, photo);
  gone.items[2] = { name: "书桌", quantity: 1, condition: "missing" };
  expect(await wrongs(id, roomId, gone)).toEqual([["items.2.fileIds", "请上传“书桌”的照片"]]);
  const dear = out({}, photo);
  dear.items[1]!.price = 3_000;
  expect(await wrongs(id, roomId, dear)).toEqual([["items.1.reason", "赔偿价高于清单价，请填写原因"]]);
  const less = [{ kind: "electric", meterNo: "E-101", reading: "3412.49" }];
  expect(await wrongs(id, roomId, out({ readings: less }, photo))).toEqual([
    ["readings.0.reading", "读数不能小于上次读数，换表请先登记换表"],
  ]);
  const other = [{ kind: "electric", meterNo: "E-102", reading: "12" }];
  expect(await wrongs(id, roomId, out({ readings: other }, photo))).toEqual([
    ["readings.0.start", "请输入起始读数"],
    ["readings", "请录入 E-101 的退房读数"],
  ]);
});

test("one thing missing becomes a damage line of the settlement, the use its electricity, to the fen", async () => {
  const { id, roomId } = await movedIn();
  const { id: actId } = await asked(id, { charges: [] });
  const weighed = async () => house.did(settlementActs.preview, { as }, { params: { id: actId }, body: {} });
  expect((await weighed()).obstacles.map((o) => o.msg)).toEqual(["请录入 E-101 的退房读数"]);
  const bare = (await weighed()).net;
  const photo = [await aScan(house, as)];
  expect((await put(id, roomId, out({}, photo))).status).toBe(200);
  const other = await house.person({ permits: ["#1108"], villages: [shop.villageId] });
  expect((await house.ask(findings, { as: other }, { query: { contractId: id } as never })).status).toBe(403);
  const found = await house.did(findings, { as }, { query: { contractId: id } as never });
  // the desk was damaged when it was handed over
  expect(found).toEqual([
    {
      kind: "damage",
      feeId: subject("damage"),
      title: "遥控器缺失",
      quantity: "2",
      price: 2_500,
      amount: 5_000,
      clause: "交接单",
      note: "见退房验房单照片",
    },
    {
      kind: "utility",
      feeId: subject("electric"),
      title: "电费",
      quantity: "128",
      price: 80,
      amount: 10_240,
      clause: "",
      note: "E-101 3412.5 → 3540.5",
    },
  ]);
  expect((await weighed()).warnings).toEqual([
    "验房单有 2 项扣款没有列入结算：遥控器缺失、电费，152.40 元；需要扣的请在编辑结算中带入",
  ]);
  // and the paper that is signed says so of the desk alone
  const sheet = (await sheets(id)).find((s) => s.kind === "out")!;
  const file = await house.ask(sheetFile, { as }, { params: { id, sheetId: sheet.id } });
  const paper = textOfPdf(file.raw).replaceAll(/\s/g, "");
  expect(paper).toMatch(/遥控器2缺失25\.00—/);
  expect(paper).toMatch(/书桌1损坏300\.00入住时已损坏，不赔偿/);
  const { draft, version } = await row(actId);
  const body = { ...draft, charges: found, version } as never;
  await house.did(settlementActs.edit, { as }, { params: { id: actId }, body });
  const after = await weighed();
  expect([after.obstacles, after.warnings, after.net]).toEqual([[], [], bare - 5_000 - 10_240]);
  // what was looked over stays as it is once it is handed in
  const done = await submitted(actId);
  expect((await put(id, roomId, { ...out({}, photo), version: 1 })).status).toBe(409);
  expect((await put(id, roomId, { ...IN, version: 1 })).body.message).toContain("已登记退房验房单");
  expect((await confirm(done)).status).toBe(200);
  expect(await sound()).toEqual([]);
});

test("keys and cards that did not come back have their price, or 0, and are proposed as damage", async () => {
  const { id, roomId } = await movedIn();
  const { id: actId } = await asked(id, { charges: [] });
  const photo = [await aScan(house, as)];
  const lost = { keys: 0, cards: 0, items: [] };
  expect(await wrongs(id, roomId, out(lost, photo))).toEqual([
    ["keyPrice", "少还 2 把钥匙，请填写赔偿价，不赔偿的填 0"],
    ["cardPrice", "少还 1 张门卡，请填写赔偿价，不赔偿的填 0"],
  ]);
  // what they come to is held to the bound of an amount, and so is what things come to
  const most = 9_999_999_999;
  const much = out({ ...lost, keyPrice: most, cardPrice: most }, photo);
  much.items = [{ name: "花瓶", quantity: 2, condition: "missing", price: most, fileIds: photo }];
  much.readings = much.readings.map((r) => ({ ...r, price: most }));
  expect(await wrongs(id, roomId, much)).toEqual([
    ["items.0.price", "数量 × 赔偿价超出金额上限"],
    ["keyPrice", "数量 × 赔偿价超出金额上限"],
    ["readings.0.price", "用量 × 单价超出金额上限"],
  ]);
  expect((await put(id, roomId, out({ ...lost, keyPrice: 1_500, cardPrice: 0 }, photo))).status).toBe(200);
  const found = await house.did(findings, { as }, { query: { contractId: id } as never });
  expect(found.map((c) => [c.kind, c.feeId, c.title, c.quantity, c.price, c.amount, c.note])).toEqual([
    ["damage", subject("damage"), "钥匙缺失", "2", 1_500, 3_000, "入住 2 把，退房 0 把"],
    ["utility", subject("electric"), "电费", "128", 80, 10_240, "E-101 3412.5 → 3540.5"],
  ]);
  const { warnings } = await house.did(settlementActs.preview, { as }, { params: { id: actId }, body: {} });
  expect(warnings).toEqual([
    "验房单有 2 项扣款没有列入结算：钥匙缺失、电费，132.40 元；需要扣的请在编辑结算中带入",
  ]);
  // the tenant signs what is asked for them
  const sheet = (await sheets(id)).find((s) => s.kind === "out")!;
  const file = await house.ask(sheetFile, { as }, { params: { id, sheetId: sheet.id } });
  expect(textOfPdf(file.raw).replaceAll(/\s/g, "")).toMatch(/钥匙2缺失15\.00入住2把，退房0把/);
});

test("two clerks at once write one sheet; strangers and readers write none", async () => {
  const { id, roomId } = await lease();
  const both = await Promise.all([put(id, roomId, IN), put(id, roomId, { ...IN, keys: 5 })]);
  expect(both.map((r) => r.status).toSorted()).toEqual([200, 409]);
  const reader = await house.person({ permits: ["9.get", "72.get"], villages: [shop.villageId] });
  expect((await put(id, roomId, { ...IN, version: 1 }, reader)).status).toBe(403);
  expect(await wrongs(id, shop.roomId, IN)).toEqual([]);
  expect((await put(id, shop.roomId, IN)).status).toBe(404);
  const stranger = await house.person({ permits: [...PERMITS, "9.get", "9.edit"], villages: [] });
  expect((await put(id, roomId, { ...IN, version: 1 }, stranger)).status).toBe(404);
  expect((await house.ask(listSheets, { as: stranger }, { params: { id } })).status).toBe(404);
});

test("keys are taken back within a day of the handover, not after, and not once somebody leaves", async () => {
  const version = async (id: number) =>
    Number((await pool.query("select version from contract where id = $1", [id])).rows[0].version);
  const undo = async (id: number) =>
    house.ask(
      undoHandover,
      { as },
      { params: { id }, body: { version: await version(id), reason: "登记错房间" } },
    );
  const hand = async (id: number) =>
    house.did(
      handOver,
      { as },
      { params: { id }, body: { handoverOn: "2026-03-12", version: await version(id) } },
    );
  const { id } = await lease();
  expect((await undo(id)).body.message).toBe("合同没有可撤销的入住");
  await hand(id);
  expect((await undo(id)).status).toBe(200);
  await hand(id);
  house.setClock("2026-03-13T10:00:01+08:00");
  expect((await undo(id)).body.message).toBe("办理入住已超过 24 小时，不能撤销");
});
