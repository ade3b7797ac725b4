import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aBuilding, aFlat } from "../../listing/village/village.sample.ts";
import { sendSheet, sheetBytes } from "../../system/import/import.sample.ts";
import { followLead } from "../lead/acts.contract.ts";
import { listLeads } from "../lead/lead.contract.ts";
import { aLettingOffice } from "../lead/lead.sample.ts";
import { addReservation } from "../reservation/reservation.contract.ts";
import { typedReservation } from "../reservation/reservation.sample.ts";
import { addViewing } from "../viewing/viewing.contract.ts";
import { leadImport } from "./import.contract.ts";

const house = await testHouse({ poolSize: 12 });
house.setClock("2026-11-20T09:15:00+08:00");
const { here, there } = await aLettingOffice(house);
const permits = ["15.import", "15.query", "15.get", "15.add", "15.edit", "9.add", "#1502", "#1501"];
const as = await house.person({ permits, villages: [here], name: "何文员" });
const stranger = await house.person({ permits, villages: [there] });
const roomId = (await aFlat(house, await aBuilding(house, here), { name: "1203" })).roomIds[0]!;

let phone = 13_510_000_000;
/** A file with these people, imported by the clerk. */
async function imported(...names: string[]) {
  const lines = names.map((name) => ({ 姓名: name, 手机: String(++phone), 来源: "上门", 负责人: "何文员" }));
  const id = await sendSheet(house, as, leadImport, here, await sheetBytes("客源", lines));
  await house.did(leadImport.commit, { as }, { params: { id }, body: { version: 1 } });
  const { list } = await house.did(listLeads, { as }, { query: {} });
  return { id, leads: names.map((name) => list.find((lead) => lead.name === name)!) };
}
const undo = (id: number, who = as) =>
  house.ask(leadImport.undo, { as: who, key: randomUUID() }, { params: { id }, body: { version: 2 } });
const batches = (who = as) => house.did(leadImport.list, { as: who }, { query: {} });
const left = async (importId: number) => {
  const { rows } = await house.database.pool.query(
    "select 1 from lead l left join lead_event e on e.lead_id = l.id where l.import_id = $1",
    [importId],
  );
  return rows.length;
};

test("an import that is undone leaves nothing but its line in the list", async () => {
  const { id } = await imported("周一", "周二");
  expect(await left(id)).toBeGreaterThan(0);
  expect((await undo(id, stranger)).status).toBe(404);
  expect((await undo(id)).body.data).toEqual({ id, removed: 2 });
  expect(await left(id)).toBe(0);
  const [batch] = (await batches()).list;
  expect(batch).toMatchObject({
    id,
    number: expect.stringMatching(/^DK20261120-\d{6}$/),
    fileName: "客户.xlsx",
    rowCount: 2,
    errorCount: 0,
    state: "undone",
    createdName: "何文员",
  });
  expect((await batches(stranger)).total).toBe(0);
  expect((await undo(id)).status).toBe(409);
});

test("with one lead reserved or shown round it is refused, naming it", async () => {
  const shown = await imported("吴一", "吴二");
  const at = { villageId: here, roomIds: [roomId], at: "2026-11-20T10:00:00+08:00", minutes: "60" as const };
  await house.did(
    addViewing,
    { as },
    { body: { ...at, leadId: shown.leads[1]!.id, assigneeId: as.operatorId } },
  );
  expect((await undo(shown.id)).body.message).toBe("1 条客源已有跟进，不能撤销：吴二");

  const held = await imported("郑一", "郑二");
  await house.did(
    addReservation,
    { as },
    {
      body: typedReservation(
        { villageId: here, roomId },
        { leadId: held.leads[0]!.id, name: "郑一", earnest: 0 },
      ),
    },
  );
  expect((await undo(held.id)).body.message).toBe("1 条客源已有跟进，不能撤销：郑一");
  expect((await batches()).list.map((batch) => batch.state)).toEqual(
    expect.arrayContaining(["done", "undone"]),
  );
});

test("followed up and undone at once: one of them comes too late", async () => {
  for (const name of ["冯一", "冯二", "冯三"]) {
    const { id, leads } = await imported(name);
    const [undone, followed] = await Promise.all([
      undo(id),
      house.ask(
        followLead,
        { as },
        { params: { id: leads[0]!.id }, body: { kind: "call", content: "已联系" } },
      ),
    ]);
    expect([undone.status, followed.status]).toSatisfy(
      ([back, went]: number[]) => (back === 200 && went === 404) || (back === 409 && went === 200),
    );
    expect(await left(id)).toBe(undone.status === 200 ? 0 : 2);
  }
});
