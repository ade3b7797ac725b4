import fc from "fast-check";
import { expect, test } from "vitest";
import { parseYuan } from "../../../platform/kernel/fen.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aFirmShop, aShopRoom, someRooms } from "../contract/firm.sample.ts";
import { aForm, aScan } from "../contract/contract.sample.ts";
import { createContract, formData } from "../drafting/draft.contract.ts";
import { contractPaper } from "../paper/paper.contract.ts";
import { textOfPdf } from "../paper/paper.sample.ts";
import { signOfflineContract, submitContract } from "../signing/signing.contract.ts";
import { absurdForm, type AbsurdForm } from "../terms/absurd-form.sample.ts";
import type { ContractForm } from "../terms/terms.contract.ts";
import { previewContract, type Preview } from "./preview.contract.ts";

const house = await testHouse();
const TODAY = "2026-03-12";
house.setClock(`${TODAY}T10:00:00+08:00`);
const { db, pool } = house.database;
const shop = await aFirmShop(house, { permits: ["#904", "#1104", "#10704", "#907", "#1107", "#10707"] });
const { clerk: as } = shop;
const { fees } = await house.did(formData, { as }, { query: { villageId: shop.villageId } });
const chosen = fees.filter((f) => ["property", "network", "key"].includes(f.code));
const samples = fc.sample(absurdForm(chosen, "2026-02-15"), { numRuns: 60, seed: 20_261_123 });

/** The same contract over rooms of its own: a flat with parking, rooms of a company, shops. */
async function formOver(n: number, { kind, rooms, start, end, terms }: AbsurdForm): Promise<ContractForm> {
  const names = rooms.map((_, i) => `A${n}-${i}`);
  const ids: number[] = [];
  if (kind === "merchant") for (const name of names) ids.push(await aShopRoom(house, shop, name));
  else ids.push(...(await someRooms(house, shop, names)));
  if (kind === "renter")
    await pool.query("update room set kind = 'parking' where id = any($1::bigint[])", [ids.slice(1)]);
  const partyId = { renter: shop.partyId, company: shop.companyId, merchant: shop.merchantId }[kind];
  const steps = terms.steps.map((s) => (s.roomId ? { ...s, roomId: ids[s.roomId - 1]! } : s));
  const over = rooms.map((room, i) => ({ ...room, roomId: ids[i]! }));
  return { ...aForm({ ...shop, partyId, roomId: ids[0]! }), ...terms, steps, kind, start, end, rooms: over };
}

type Explained = { parts?: { price: number }[] };
const linesOf = (preview: Preview) =>
  preview.added.flatMap((b) => b.lines.map((l) => `${l.feeKey} ${l.roomId} ${l.from} ${l.to} ${l.amount}`));

/** What the paper says the rent is from a day on, against the price of the lines that are billed for that day. */
async function samePaper(id: number, preview: Preview): Promise<void> {
  const { raw } = await house.ask(contractPaper, { as }, { params: { id } });
  const text = textOfPdf(raw).replaceAll("\n", "");
  const rent = preview.added.flatMap((b) => b.lines).filter((l) => l.kind === "rent");
  const said = [...text.matchAll(/自 (\S{10}) 起，月租金(?:合计)?调整为人民币 ([\d,.]+) 元/g)];
  for (const [, day, sum] of said) {
    const on = rent.filter((l) => l.from <= day! && l.to >= day!);
    const prices = on.map((l) => (l.explain as Explained).parts?.map((p) => p.price));
    if (prices.every((p) => p))
      expect(parseYuan(sum!)).toBe(prices.reduce((total, p) => total + p!.at(0)!, 0));
  }
}

const came = { accepted: 0, refused: 0 };
test.each(samples.map((sample, i) => [i + 1, sample] as const))(
  "contract %i: what the preview accepts is signed to the fen, what it refuses names a field",
  async (n, sample) => {
    const form = await formOver(n, sample);
    const draft = await house.ask(createContract, { as }, { body: form });
    if (draft.status === 400) {
      came.refused++;
      return expect(draft.body.fields!.length).toBeGreaterThan(0);
    }
    expect(draft.status, JSON.stringify(draft.body)).toBe(200);
    const { id } = draft.body.data!;
    const tried = await house.ask(previewContract, { as }, { body: { id } });
    if (tried.status === 400) {
      came.refused++;
      expect(tried.body.fields!.length).toBeGreaterThan(0);
      const held = await db.selectFrom("occupancyRow").select("id").where("contractId", "=", id).execute();
      return expect(held).toEqual([]);
    }
    expect(tried.status, JSON.stringify(tried.body)).toBe(200);
    came.accepted++;
    const preview = tried.body.data!;
    const { previewHash } = preview;
    const params = { id };
    await house.did(submitContract, { as }, { params, body: { previewHash } });
    await samePaper(id, preview);
    const body = { fileIds: [await aScan(house, as)], signedOn: TODAY, previewHash };
    await house.did(signOfflineContract, { as }, { params, body });
    const { rows } = await pool.query(
      `select case s.code when 'rent' then 'rent' when 'deposit' then 'deposit' else s.id::text end subject, l.room_id,
         l.period_start, l.period_end, l.amount
       from bill b join bill_line l on l.bill_id = b.id join fee_subject s on s.id = l.fee_subject_id
       where b.contract_id = $1 order by l.id`,
      [id],
    );
    const billed = rows.map((r) => `${r.subject} ${r.room_id} ${r.period_start} ${r.period_end} ${r.amount}`);
    expect(billed).toEqual(linesOf(preview));
  },
);

test("the contracts above are of both sorts", () => {
  expect(came.accepted).toBeGreaterThan(10);
  expect(came.refused).toBeGreaterThan(10);
});
