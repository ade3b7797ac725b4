import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import type { Sent } from "../../../platform/kernel/call.ts";
import type { TestHouse } from "../../../platform/server/process/house.sample.ts";
import { aBuilding, aFlat, aVillage } from "../village/village.sample.ts";
import type { addChannel } from "../channel/channel.contract.ts";

type Body = Sent<typeof addChannel> extends { body: infer B } ? B : never;

/** A channel that asks for no pictures, as far as a test does not say otherwise. */
export const aChannel = (villageIds: number[], more: Partial<Body> = {}): Body => ({
  name: "自有官网",
  adapter: "feed",
  config: { pageSize: 100 },
  villageIds,
  minPictures: 0,
  ...more,
});

/** A store that is open and stands on the map, with flats at 3,000.00. */
export async function anOpenStore(house: TestHouse, flats: number) {
  const villageId = await aVillage(house);
  await house.database.pool.query(
    "update village set state = 'open', lng = 120.2, lat = 30.2 where id = $1",
    [villageId],
  );
  const building = await aBuilding(house, villageId);
  const roomIds: number[] = [];
  for (let i = 0; i < flats; i++)
    roomIds.push((await aFlat(house, building, { name: `${100 + i}`, floor: 1 + (i % 18) })).roomIds[0]!);
  return { villageId, building, roomIds };
}

export type Heard = { method: string; url: string; headers: http.IncomingHttpHeaders; body: string };

/** Somebody outside who answers as it is told to, and remembers what was said. */
export async function aReceiver(answer: (heard: Heard, n: number) => { status: number; body?: unknown }) {
  const heard: Heard[] = [];
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const one = {
        method: request.method ?? "",
        url: request.url ?? "",
        headers: request.headers,
        body: Buffer.concat(chunks).toString("utf8"),
      };
      heard.push(one);
      const { status, body } = answer(one, heard.length);
      response.writeHead(status, { "content-type": "application/json" });
      response.end(body === undefined ? "" : JSON.stringify(body));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url, heard, close };
}
