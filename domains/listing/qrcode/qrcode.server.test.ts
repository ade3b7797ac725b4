import { inflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { addArea } from "../public-area/area.contract.ts";
import { aBuilding, aFlat, aVillage } from "../village/village.sample.ts";
import { areaCodes, roomCodes } from "./qrcode.contract.ts";

const house = await testHouse();
const [here, there] = [await aVillage(house, { name: "滨江店" }), await aVillage(house)];
const at = await aBuilding(house, here);
const as = await house.person({ permits: ["6.query", "6.add"], villages: [here] });
const stranger = await house.person({ permits: ["6.query"], villages: [there] });
const nobody = await house.person({ permits: ["4.query"], villages: [here] });

/** How many bars the pages of a PDF draw: a code is hundreds of them. */
function pagesOf(pdf: Buffer): string[] {
  const text = pdf.toString("latin1");
  return [...text.matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g)].flatMap(([, body]) => {
    try {
      const page = inflateSync(Buffer.from(body!, "latin1")).toString("latin1");
      return / re\n/.test(page) ? [page] : [];
    } catch {
      return [];
    }
  });
}

test("rooms come as a sheet of codes, twelve to a page", async () => {
  const ids: number[] = [];
  for (let n = 0; n < 13; n++) ids.push((await aFlat(house, at, { name: `${1700 + n}` })).roomIds[0]!);
  const body = { ids, origin: "https://gy.example.cn" };
  const file = await house.ask(roomCodes, { as }, { body });
  expect(file.status).toBe(200);
  expect(file.raw.subarray(0, 5).toString()).toBe("%PDF-");
  const pages = pagesOf(file.raw);
  expect(pages).toHaveLength(2);
  const bars = (page: string) => page.match(/ re\n/g)!.length;
  expect(bars(pages[0]!)).toBeGreaterThan(bars(pages[1]!) * 11);
});

test("a place that is out of scope is not there; who may not see rooms prints none", async () => {
  const [id] = (await aFlat(house, at, { name: "1801" })).roomIds;
  const body = { ids: [id!] };
  expect((await house.ask(roomCodes, { as: stranger }, { body })).status).toBe(404);
  expect((await house.ask(roomCodes, { as: nobody }, { body })).status).toBe(403);
  const area = await house.did(
    addArea,
    { as },
    { body: { villageId: here, name: "大堂", kindDic: "lobby" } },
  );
  expect((await house.ask(areaCodes, { as }, { body: { ids: [area.id] } })).status).toBe(200);
  expect((await house.ask(areaCodes, { as: stranger }, { body: { ids: [area.id] } })).status).toBe(404);
  const odd = await house.ask(roomCodes, { as }, { body: { ids: [id!], origin: "javascript:alert(1)" } });
  expect(odd.status).toBe(400);
});
