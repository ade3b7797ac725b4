import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aPng, sendFile } from "../../system/file/file.sample.ts";
import {
  copySetting,
  getVillageSetting,
  previewSettingCopy,
  setVillagePictures,
  setVillageSetting,
  villagePictures,
  village,
} from "./village.contract.ts";
import { aVillage } from "./village.sample.ts";

const house = await testHouse();
const { pool } = house.database;
const head = await house.person({ permits: ["6.add", "6.edit", "6.get"], name: "李总" });
const manager = await house.person({ permits: ["6.get"] });
const stranger = await house.person();
const id = await aVillage(house, { managerId: manager.operatorId });
await pool.query("update operator set village_ids = array[$1::bigint] where id = $2", [id, head.operatorId]);

test("rules are kept per village, logged field by field, and carried to others after a look", async () => {
  const as = head;
  const { version, ...setting } = await house.did(getVillageSetting, { as }, { params: { id } });
  expect(setting).toMatchObject({
    reservationMaxDays: 15,
    earnestKind: "定金",
    showingFrom: "09:00",
    leadIdleDays: null,
    quietFrom: "21:00",
    quietTo: "08:30",
  });
  const wrong = { ...setting, showingTo: "08:00", version };
  expect((await house.ask(setVillageSetting, { as }, { params: { id }, body: wrong })).body.fields).toEqual([
    { field: "showingTo", msg: "看房结束时间须晚于开始时间" },
  ]);
  const never = { ...setting, quietTo: "21:00", version };
  expect((await house.ask(setVillageSetting, { as }, { params: { id }, body: never })).body.fields).toEqual([
    { field: "quietTo", msg: "免打扰结束时间不能与开始时间相同" },
  ]);
  await house.did(
    setVillageSetting,
    { as },
    { params: { id }, body: { ...setting, reservationMaxDays: 20, version } },
  );
  const target = { id: await aVillage(house, { name: "目标店", managerId: head.operatorId }) };
  const copy = {
    params: { id },
    body: { blocks: ["reservation", "lead"] as ["reservation", "lead"], villageIds: [target.id] },
  };
  const change = [{ field: "reservationMaxDays", title: "预订最长保留", from: "15", to: "20" }];
  expect(await house.did(previewSettingCopy, { as }, copy)).toEqual([
    { villageId: target.id, villageName: "目标店", changes: change },
  ]);
  await house.did(copySetting, { as }, copy);
  const after = await house.did(getVillageSetting, { as }, { params: { id: target.id } });
  expect(after).toMatchObject({ reservationMaxDays: 20, version: 2 });
  const { rows } = await pool.query(
    "select summary from business_log where record_id = $1 and action = '修改规则'",
    [target.id],
  );
  expect(rows).toEqual([{ summary: "修改规则（仅影响新业务）：预订最长保留：15 → 20" }]);
});

test("pictures are one's own uploads, at most 20 of a type", async () => {
  const file = async (as: typeof head) =>
    (await sendFile(house, as, { name: "a.png", bytes: aPng() }, "image10M")).body.data;
  const mine = await file(head);
  const theirs = await file(stranger);
  const { version } = await house.did(village, { as: head }, { params: { id } });
  const set = (fileIds: number[]) =>
    house.ask(
      setVillagePictures,
      { as: head },
      {
        params: { id },
        body: { version, pictures: fileIds.map((fileId) => ({ type: 1, fileId, caption: "客厅" })) },
      },
    );
  expect((await set([theirs.id])).status).toBe(404);
  expect((await set(Array.from({ length: 21 }, () => mine.id))).body.fields).toEqual([
    { field: "pictures", msg: "每类图片最多20张" },
  ]);
  expect((await set([mine.id])).status).toBe(200);
  expect(await house.did(villagePictures, { as: manager }, { params: { id } })).toMatchObject([
    { type: 1, fileId: mine.id, caption: "客厅" },
  ]);
});
