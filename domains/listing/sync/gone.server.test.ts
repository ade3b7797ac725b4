import { afterAll, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { deleteApartment } from "../apartment/apartment.contract.ts";
import { addChannel } from "../channel/channel.contract.ts";
import { listings } from "./listing.contract.ts";
import { runChannels } from "./sync.job.ts";
import { aChannel, anOpenStore, aReceiver } from "./sync.sample.ts";

const house = await testHouse({ poolSize: 6, settings: { ALLOW_PRIVATE_TARGETS: "true" } });
const { villageId, roomIds } = await anOpenStore(house, 2);
const head = await house.person({ permits: ["67.query", "67.add", "6.delete"], villages: [villageId] });
const receiver = await aReceiver(() => ({ status: 200, body: { id: "A-1" } }));
afterAll(receiver.close);

const remove = async (roomId: number) => {
  const { rows } = await house.database.pool.query(
    "select a.id, a.version from apartment a join room r on r.apartment_id = a.id where r.id = $1",
    [roomId],
  );
  const { id, version } = rows[0];
  return house.ask(deleteApartment, { as: head }, { params: { id }, query: { version } });
};
const onFeed = async () =>
  (await house.did(listings, { as: head }, { query: { state: "online" } })).list.map((l) => l.roomId);

test("a flat that the feed shows is deleted and leaves the feed; one that stands at somebody else's stays", async () => {
  await house.did(addChannel, { as: head }, { body: aChannel([villageId]) });
  await runChannels(house);
  expect((await onFeed()).toSorted()).toEqual(roomIds.toSorted());
  expect((await remove(roomIds[0]!)).body).toMatchObject({ code: 200 });
  expect(await onFeed()).toEqual([roomIds[1]]);

  const config = { url: `${receiver.url}/push`, timeoutSeconds: 2, mapped: false };
  const outside = aChannel([villageId], { name: "本地找房网", adapter: "httpPush", config });
  await house.did(addChannel, { as: head }, { body: outside });
  await runChannels(house);
  expect((await remove(roomIds[1]!)).body).toMatchObject({
    code: 409,
    message: "该房源有 1 条渠道房源，不能删除，可改为停用或注销",
  });
});
