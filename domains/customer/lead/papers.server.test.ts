import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aPng, sendFile } from "../../system/file/file.sample.ts";
import { followLead, leadEvents } from "./acts.contract.ts";
import { getLead, leadWords, listLeads } from "./lead.contract.ts";
import { aLead, aLettingOffice } from "./lead.sample.ts";

const house = await testHouse();
house.setClock("2026-11-20T09:15:00+08:00");
const { here, zhao, stranger } = await aLettingOffice(house);

test("a follow-up keeps its papers, for who may see the lead", async () => {
  const id = await aLead(house, zhao, here);
  const file = await sendFile(house, zhao, { name: "聊天记录.png", bytes: aPng() });
  const fileIds = [file.body.data.id];
  const body = { kind: "wechat" as const, content: "客户发来户型要求", fileIds };
  await house.did(followLead, { as: zhao }, { params: { id }, body });
  const [event] = await house.did(leadEvents, { as: zhao }, { params: { id } });
  expect(event!.files).toMatchObject([{ id: fileIds[0], name: "聊天记录.png" }]);
  expect((await house.ask(leadEvents, { as: stranger }, { params: { id } })).status).toBe(404);
});

test("tags and the channel are kept, offered and filtered by", async () => {
  const id = await aLead(house, zhao, here, {
    source: "channel",
    channelName: "安居平台",
    tags: ["近地铁", "近地铁", "养猫"],
  });
  expect(await house.did(getLead, { as: zhao }, { params: { id } })).toMatchObject({
    channelName: "安居平台",
    tags: ["近地铁", "养猫"],
  });
  expect((await house.did(leadWords, { as: zhao }, {})).channels).toEqual(["安居平台"]);
  expect((await house.did(leadWords, { as: stranger }, {})).channels).toEqual([]);
  const { list } = await house.did(listLeads, { as: zhao }, { query: { channel: "安居平台" } });
  expect(list.map((l) => l.id)).toEqual([id]);
});
