import { createHmac } from "node:crypto";
import { afterAll, beforeEach, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aLease } from "../village/village.sample.ts";
import {
  addChannel,
  channel,
  channels,
  disableChannel,
  testChannel,
  enquiries,
  listingEvents,
} from "./channel.contract.ts";
import { exchange } from "./push.service.ts";
import { listings, syncListings } from "../sync/listing.contract.ts";
import { runChannels } from "../sync/sync.job.ts";
import { aChannel, anOpenStore, aReceiver, type Heard } from "../sync/sync.sample.ts";

const house = await testHouse({ poolSize: 6, settings: { ALLOW_PRIVATE_TARGETS: "true" } });
const { villageId, roomIds } = await anOpenStore(house, 1);
const roomId = roomIds[0]!;
const permits = ["query", "get", "add", "edit", "delete", "enable", "disable"].map((p) => `67.${p}`);
const head = await house.person({ permits, villages: [villageId] });
let reply: (heard: Heard) => { status: number; body?: unknown } = () => ({ status: 200 });
const receiver = await aReceiver((heard) => reply(heard));
afterAll(receiver.close);
let at = 0;
/** So many minutes later, the job runs once. */
const after = async (minutes: number) => {
  at += minutes;
  house.setClock(new Date(Date.parse("2026-11-20T10:00:00+08:00") + at * 60_000).toISOString());
  await runChannels(house);
};
beforeEach(() => {
  receiver.heard.length = 0;
});
await after(0);
const { id } = await house.did(
  addChannel,
  { as: head },
  {
    body: aChannel([villageId], {
      name: "本地找房网",
      adapter: "httpPush",
      config: { url: `${receiver.url}/push`, timeoutSeconds: 2, mapped: false },
    }),
  },
);
const row = async () => (await house.did(listings, { as: head }, { query: { roomId } })).list[0]!;
const events = async () =>
  (await house.did(listingEvents, { as: head }, { query: { act: "publish,update,withdraw" } })).list.map(
    (e) => [e.act, e.result] as const,
  );

test("a target that answers 500 twice, then 200, ends online with three events and one listing", async () => {
  let n = 0;
  reply = () =>
    ++n < 3
      ? { status: 500, body: "busy" }
      : { status: 200, body: { id: "A-77", url: "https://find.example/77" } };
  await after(0);
  expect(await row()).toMatchObject({ state: "failed", reason: 'HTTP 500 "busy"' });
  // not before its minute
  await after(0.5);
  expect(receiver.heard).toHaveLength(1);
  await after(0.5);
  expect((await row()).state).toBe("failed");
  await after(4);
  expect(receiver.heard).toHaveLength(2);
  await after(1);
  expect(await row()).toMatchObject({ state: "online", outsideUrl: "https://find.example/77" });
  expect(await events()).toEqual([
    ["publish", "true"],
    ["publish", "false"],
    ["publish", "false"],
  ]);
  expect((await house.did(listings, { as: head }, { query: {} })).total).toBe(1);

  // who speaks is known by the signature over what is said and when
  const { signingKey } = await house.did(channel, { as: head }, { params: { id } });
  const { headers, body } = receiver.heard.at(-1)!;
  const expected = createHmac("sha256", signingKey!)
    .update(`${headers["x-timestamp"] as string}.${body}`)
    .digest("hex");
  expect(headers["x-signature"]).toBe(expected);
  expect(JSON.parse(body)).toMatchObject({
    act: "publish",
    listing: { id: roomId, price: { amount: 300_000 } },
  });
  // nothing has changed: nothing is sent again
  await after(10);
  expect(receiver.heard).toHaveLength(3);
});

test("taken, it is withdrawn under its outside id; sent again by hand, it is an update", async () => {
  reply = () => ({ status: 200, body: { id: "A-77" } });
  await house.did(syncListings, { as: head }, { body: { ids: [(await row()).id] } });
  await after(1);
  expect(JSON.parse(receiver.heard[0]!.body)).toMatchObject({ act: "update", outsideId: "A-77" });
  await aLease(house, roomId, "2026-11-20", "2027-11-19");
  await after(1);
  expect(JSON.parse(receiver.heard[1]!.body)).toEqual({
    act: "withdraw",
    listingId: (await row()).id,
    outsideId: "A-77",
  });
  expect(await row()).toMatchObject({ state: "offline" });
  await house.database.pool.query("delete from occupancy_row where room_id = $1", [roomId]);
  await house.database.pool.query("insert into room_change (room_id, village_id) values ($1, $2)", [
    roomId,
    villageId,
  ]);
  await after(1);
  expect((await row()).state).toBe("online");
});

test("after the last attempt it waits for a person, and whoever made the channel hears of it", async () => {
  reply = () => ({ status: 503 });
  await house.did(syncListings, { as: head }, { body: { ids: [(await row()).id] } });
  for (const minutes of [0, 1, 5, 30, 120, 360]) await after(minutes);
  expect(receiver.heard).toHaveLength(6);
  await after(3000);
  expect(receiver.heard).toHaveLength(6);
  const { rows } = await house.database.pool.query(
    "select m.title, m.type from message m join message_receipt r on r.message_id = m.id where r.operator_id = $1",
    [head.operatorId],
  );
  expect(rows).toEqual([{ title: "本地找房网：滨江店·3栋·1单元·100 同步失败", type: 6 }]);
  expect((await house.did(channels, { as: head })).list[0]).toMatchObject({ health: "down", failed: 1 });
  reply = () => ({ status: 200 });
  await house.did(syncListings, { as: head }, { body: { ids: [(await row()).id] } });
  await after(1);
  expect((await row()).state).toBe("online");
  expect((await house.did(channels, { as: head })).list[0]).toMatchObject({
    health: "ok",
    failed: 0,
    online: 1,
  });
});

test("enquiries are fetched and become leads, each once", async () => {
  const config = {
    url: `${receiver.url}/push`,
    leadsUrl: `${receiver.url}/leads`,
    timeoutSeconds: 2,
    mapped: false,
  };
  const made = await house.did(
    addChannel,
    { as: head },
    { body: aChannel([villageId], { name: "同城租房", adapter: "httpPush", config }) },
  );
  reply = ({ url }) =>
    url.startsWith("/leads")
      ? {
          status: 200,
          body: {
            list: [
              { id: 1, roomId, name: "赵一", phone: "13900002222", message: "想看房" },
              { id: 2, roomId: 999_999, name: "钱二", phone: "13900003333" },
            ],
          },
        }
      : { status: 200 };
  await after(1);
  await after(1);
  await house.deliver();
  const { list } = await house.did(enquiries, { as: head }, { query: { channelId: made.id } });
  expect(list.map((q) => [q.roomName, q.leadNumber !== null])).toEqual([["滨江店·3栋·1单元·100", true]]);
  const leads = await house.database.pool.query("select source from lead where phone = '13900002222'");
  expect(leads.rows).toEqual([{ source: "channel" }]);
  // without a word that can be read the channel is not well
  reply = ({ url }) => (url.startsWith("/leads") ? { status: 200, body: "?" } : { status: 200 });
  await after(2);
  const card = (await house.did(channels, { as: head })).list.find((c) => c.id === made.id);
  expect(card).toMatchObject({ health: "down", lastError: "拉取咨询失败：返回内容格式不正确" });
});

test("a test of the connection says what came back; off, everything is taken down", async () => {
  reply = () => ({ status: 404 });
  const tried = await house.did(testChannel, { as: head }, { params: { id } });
  expect(tried).toMatchObject({ ok: false, answer: "HTTP 404 " });
  reply = () => ({ status: 200 });
  const { version } = await house.did(channel, { as: head }, { params: { id } });
  receiver.heard.length = 0;
  await house.did(disableChannel, { as: head }, { params: { id }, body: { version } });
  await after(1);
  const said = receiver.heard.map((h) => (h.body ? (JSON.parse(h.body) as { act: string }).act : h.method));
  expect(said).toContain("withdraw");
  const { list } = await house.did(listings, { as: head }, { query: { channelId: id } });
  expect(list[0]!.state).toBe("offline");
});

test("addresses inside the house are not spoken to unless that is allowed", async () => {
  const ask = (address: string) =>
    exchange(address, {
      method: "GET",
      body: "",
      headers: {},
      timeoutMs: 1000,
      settings: { ALLOW_PRIVATE_TARGETS: false },
    });
  const { port } = new URL(receiver.url);
  for (const host of ["127.0.0.1", "localhost", "[::1]", "169.254.169.254", "10.0.0.1", "[::ffff:127.0.0.1]"])
    expect(await ask(`http://${host}:${port}/`), host).toEqual({
      ok: false,
      status: 0,
      text: "不能连接内部网络的地址",
    });
  expect(receiver.heard).toEqual([]);
});
