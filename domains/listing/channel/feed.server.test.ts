import { afterAll, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { release } from "../occupancy/occupancy.service.ts";
import { setRoomPrice } from "../pricing/room-price.contract.ts";
import { acting, aLease } from "../village/village.sample.ts";
import {
  addChannel,
  channel,
  channels,
  channelWords,
  deleteChannel,
  disableChannel,
  enableChannel,
  rotateChannel,
  enquiries,
  listingEvents,
} from "./channel.contract.ts";
import { feedLead } from "./feed.contract.ts";
import {
  countListings,
  editListing,
  holdListings,
  listing,
  listings,
  roomListings,
} from "../sync/listing.contract.ts";
import { aChannel, anOpenStore } from "../sync/sync.sample.ts";

const house = await testHouse({ poolSize: 6 });
house.setClock("2026-11-20T10:00:00+08:00");
const { pool } = house.database;
const { villageId, roomIds } = await anOpenStore(house, 40);
const permits = ["query", "get", "add", "edit", "delete", "enable", "disable", "export"].map(
  (p) => `67.${p}`,
);
const head = await house.person({ permits: [...permits, "6.edit", "6.get"], villages: [villageId] });
const stranger = await house.person({ permits });
const { id } = await house.did(addChannel, { as: head }, { body: aChannel([villageId]) });
await house.deliver();

const detail = () => house.did(channel, { as: head }, { params: { id } });
const tokenOf = async () => /feed\/([\w-]+)\.json$/.exec((await detail()).jsonUrl ?? "")![1]!;
const get = (token: string, as: "json" | "xml", headers: Record<string, string> = {}, query = "") =>
  house.app.inject({ method: "GET", url: `/room/api/v3/feed/${token}.${as}${query}`, headers });
type Feed = { total: number; list: { id: number; updatedAt: string; pictures: string[] }[] };
const idsOf = async (token: string) => (await get(token, "json")).json<Feed>().list.map((l) => l.id);
const xmlIds = async (token: string) =>
  [...(await get(token, "xml")).body.matchAll(/<item><id>(\d+)<\/id>/g)].map((m) => Number(m[1]));
afterAll(() => house.setClock(undefined));

test("40 rooms: JSON and XML give the same; one is taken and gone, free again and back, and the mark changes", async () => {
  const token = await tokenOf();
  expect(await idsOf(token)).toEqual(roomIds);
  expect(await xmlIds(token)).toEqual(roomIds);
  const first = await get(token, "json");
  const etag = String(first.headers.etag);
  expect((await get(token, "json", { "if-none-match": etag })).statusCode).toBe(304);
  expect(JSON.stringify(first.json())).not.toMatch(/lowest|3栋|·/);

  const lease = await aLease(house, roomIds[4]!, "2026-11-20", "2027-11-19");
  await house.deliver();
  const rest = roomIds.filter((roomId) => roomId !== roomIds[4]);
  expect(await idsOf(token)).toEqual(rest);
  expect(await xmlIds(token)).toEqual(rest);
  const second = await get(token, "json", { "if-none-match": etag });
  expect([second.statusCode, second.headers.etag === etag]).toEqual([200, false]);
  const row = (await house.did(listings, { as: head }, { query: { roomId: roomIds[4]! } })).list[0]!;
  expect(row).toMatchObject({ state: "offline", reason: "待入住，未空置" });

  await acting(house, (act) => release(act, { contractId: lease.id }));
  await house.deliver();
  expect(await idsOf(token)).toHaveLength(40);
  const told = await house.did(listingEvents, { as: head }, { query: { keyword: "104" } });
  expect(told.list.map((e) => e.act)).toEqual(["publish", "withdraw", "publish"]);
});

test("pages, and what has changed since a moment", async () => {
  const token = await tokenOf();
  const page = (await get(token, "json", {}, "?page=2&size=15")).json<Feed>();
  expect([page.total, page.list.length, page.list[0]!.id]).toEqual([40, 15, roomIds[15]]);
  expect((await get(token, "json", {}, "?size=501")).statusCode).toBe(400);
  house.setClock("2026-11-20T11:00:00+08:00");
  await house.did(
    setRoomPrice,
    { as: head },
    { params: { id: roomIds[0]! }, body: { listPrice: 345_600, effectiveDay: "2026-11-20" } },
  );
  await house.deliver();
  const since = encodeURIComponent("2026-11-20T10:30:00+08:00");
  const news = (await get(token, "json", {}, `?updatedSince=${since}`)).json<Feed>();
  expect(news.list.map((l) => l.id)).toEqual([roomIds[0]]);
  expect(news.list[0]).toMatchObject({ price: { amount: 345_600, unit: "month", from: false } });
});

test("a price that is to come is shown on its day, though nobody touches the room", async () => {
  const token = await tokenOf();
  await house.did(
    setRoomPrice,
    { as: head },
    { params: { id: roomIds[1]! }, body: { listPrice: 388_800, effectiveDay: "2026-11-21" } },
  );
  await house.deliver();
  const shown = async () =>
    (await get(token, "json")).json<{ list: { price: { amount: number } }[] }>().list[1]!.price.amount;
  expect(await shown()).toBe(300_000);
  house.setClock("2026-11-21T00:01:00+08:00");
  const { runChannels } = await import("../sync/sync.job.ts");
  await runChannels(house);
  expect(await shown()).toBe(388_800);
  house.setClock("2026-11-20T12:00:00+08:00");
  await runChannels(house);
});

test("a room is held back with a reason and let go; words of its own stand on the listing", async () => {
  const token = await tokenOf();
  const roomId = roomIds[2]!;
  const hold = (body: object) =>
    house.ask(holdListings, { as: head }, { body: { hold: true, ...body } as never });
  expect((await hold({ roomIds: [roomId] })).body.fields).toEqual([
    { field: "reason", msg: "原因长度为2到50个字" },
  ]);
  expect((await hold({ roomIds: [roomId], reason: "业主自住" })).status).toBe(200);
  expect(await idsOf(token)).not.toContain(roomId);
  const seen = await house.did(roomListings, { as: head }, { params: { id: roomId } });
  expect(seen).toMatchObject({
    held: true,
    reason: "业主自住",
    list: [{ state: "offline", reason: "暂不发布：业主自住" }],
  });
  expect((await house.did(listings, { as: head }, { query: { hold: "held" } })).total).toBe(1);
  await house.did(holdListings, { as: head }, { body: { roomIds: [roomId], hold: false } });
  expect(await idsOf(token)).toContain(roomId);
  const row = (await house.did(listings, { as: head }, { query: { roomId } })).list[0]!;
  await house.did(
    editListing,
    { as: head },
    {
      params: { id: row.id },
      body: { title: "河景一居拎包入住", description: "近地铁", version: row.version },
    },
  );
  // two who opened the same one: the second is told, and nothing is written over
  const late = { params: { id: row.id }, body: { title: "另一个标题", version: row.version } };
  expect((await house.ask(editListing, { as: head }, late)).status).toBe(409);
  const shown = await house.did(listing, { as: head }, { params: { id: row.id } });
  expect(shown.shown).toMatchObject({ title: "河景一居拎包入住", price: "3,000.00 元/月" });
  const { rows } = await pool.query(
    "select action from business_log where kind = 'room' and record_id = $1 order by id desc limit 3",
    [roomId],
  );
  expect(rows.map((r) => r.action)).toEqual(["编辑发布文案", "恢复发布", "暂不发布"]);
  expect(await house.did(countListings, { as: head }, { query: {} })).toMatchObject({ online: 40, all: 40 });
});

test("an enquiry posted twice is one lead with source 渠道", async () => {
  const token = await tokenOf();
  const body = {
    outsideId: "Q-1",
    roomId: roomIds[0]!,
    name: "李小满",
    phone: "13900001111",
    message: "周末能看房吗",
  };
  const post = (more: object = {}, at = token) =>
    house.ask(feedLead, {}, { params: { token: at }, body: { ...body, ...more } });
  expect((await Promise.all([post(), post()])).map((a) => a.status)).toEqual([200, 200]);
  await house.deliver();
  const leads = await pool.query("select name, source, owner_id, village_ids from lead");
  expect(leads.rows).toEqual([
    { name: "李小满", source: "channel", owner_id: null, village_ids: [villageId] },
  ]);
  // the same person asks about another room: a line on the lead that is there
  await post({ outsideId: "Q-2", roomId: roomIds[1]! });
  await house.deliver();
  expect((await pool.query("select 1 from lead")).rowCount).toBe(1);
  const { list, total } = await house.did(enquiries, { as: head }, { query: {} });
  expect([total, list[0]!.leadNumber, list[0]!.leadNumber === list[1]!.leadNumber]).toEqual([
    2,
    expect.stringMatching(/^KY/),
    true,
  ]);
  expect(list[0]).toMatchObject({ name: "李*", phone: "139****1111" });
  expect((await post({ outsideId: "Q-3", roomId: 999_999 })).body.fields).toEqual([
    { field: "roomId", msg: "该渠道没有这套房源" },
  ]);
  expect((await post({ phone: "123" })).status).toBe(400);
  expect((await post({}, "x".repeat(43))).status).toBe(404);
});

test("after rotation the old address is good for nothing; switched off, the new one neither", async () => {
  const old = await tokenOf();
  const { version } = await detail();
  await house.did(rotateChannel, { as: head }, { params: { id }, body: { version } });
  expect((await get(old, "json")).statusCode).toBe(404);
  const token = await tokenOf();
  expect(token).not.toBe(old);
  expect((await get(token.toUpperCase(), "json")).statusCode).toBe(404);
  expect(await idsOf(token)).toHaveLength(40);

  const refused = await house.ask(
    deleteChannel,
    { as: head },
    { params: { id }, query: { version: version + 1 } },
  );
  expect(refused.body.message).toBe("还有 40 套房源在架，请先停用并下架");
  await house.did(disableChannel, { as: head }, { params: { id }, body: { version: version + 1 } });
  expect((await get(token, "json")).statusCode).toBe(404);
  expect((await house.did(channels, { as: head })).list[0]).toMatchObject({ state: "disabled", online: 0 });
  await house.did(enableChannel, { as: head }, { params: { id }, body: { version: version + 2 } });
  await house.deliver();
  expect(await idsOf(token)).toHaveLength(40);
});

test("strangers see nothing of it, and addresses are for those who may edit", async () => {
  expect(await house.did(channels, { as: stranger })).toEqual({ list: [], total: 0 });
  expect((await house.ask(channel, { as: stranger }, { params: { id } })).status).toBe(404);
  expect(await house.did(listings, { as: stranger }, { query: {} })).toMatchObject({ list: [], total: 0 });
  const looker = await house.person({ permits: ["67.query", "67.get"], villages: [villageId] });
  expect(await house.did(channel, { as: looker }, { params: { id } })).toMatchObject({
    jsonUrl: null,
    xmlUrl: null,
  });
  const words = await house.did(channelWords, { as: head }, { body: { villageIds: [villageId] } });
  expect(words.orientation).toEqual([{ key: "南", name: "南" }]);
  const theirs = await house.ask(
    addChannel,
    { as: stranger },
    { body: aChannel([villageId], { name: "别家" }) },
  );
  expect(theirs.status).toBe(404);
  const twice = await house.ask(addChannel, { as: head }, { body: aChannel([villageId]) });
  expect(twice.body.fields).toEqual([{ field: "name", msg: "渠道名称已存在" }]);
});
