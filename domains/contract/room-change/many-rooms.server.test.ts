import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import type { ActCalls } from "../act/act.contract.ts";
import { amendActs } from "../amendment/amendment.contract.ts";
import { anAmender } from "../amendment/amendment.sample.ts";
import { aScan } from "../contract/contract.sample.ts";
import { aCompanyForm, someRooms } from "../contract/firm.sample.ts";
import { createContract } from "../drafting/draft.contract.ts";
import { previewContract } from "../preview/preview.contract.ts";
import { settlementActs } from "../settlement/settlement.contract.ts";
import { signOfflineContract, submitContract } from "../signing/signing.contract.ts";
import { addRoomsActs, returnRoomsActs } from "./room-change.contract.ts";

/** `ROOMS=2000 npm test -- domains/contract/room-change/many-rooms` measures the largest contract there may be. */
const ROOMS = Number(process.env["ROOMS"] ?? 100);
/** Milliseconds at most: to show what something comes to, and to do it. A payment is no act on the contract. */
const LIMITS = { shown: 3_000, done: 10_000, aside: Infinity };

const house = await testHouse();
const at = await anAmender(house);
const { shop, as, pool } = at;

const took: Record<string, number> = {};
const late: string[] = [];
async function within<T>(limit: keyof typeof LIMITS, what: string, work: () => Promise<T>): Promise<T> {
  const from = performance.now();
  const answer = await work();
  took[what] = Math.round(performance.now() - from);
  if (took[what] > LIMITS[limit]) late.push(what);
  return answer;
}

/** An act from its preview to its confirmation. */
async function act(what: string, calls: ActCalls, contractId: number, draft: object) {
  await within("shown", `${what}, preview`, () => at.trial(calls, contractId, draft));
  const agreed = await at.agreed(calls, contractId, draft);
  const { status } = await within("done", `${what}, confirm`, () => at.confirm(calls, agreed));
  expect(status).toBe(200);
}
/** What autovacuum does meanwhile where the product runs. */
const settled = () => house.database.owner.query("analyze");

test(
  "a company's contract of many rooms lives as one of few does: signed, paid, amended, more rooms, fewer, left",
  { timeout: 600_000 },
  async () => {
    at.on("2026-03-01");
    const names = Array.from({ length: ROOMS }, (_, i) => `M${i}`);
    const ids = await someRooms(house, shop, names);
    const [first, more] = [ids.slice(0, -10), ids.slice(-10)];
    await settled();
    const form = aCompanyForm(shop, first, { start: "2026-03-01" });
    const { id } = await within("done", "draft", () => house.did(createContract, { as }, { body: form }));
    const params = { id };
    const shown = await within("shown", "preview", () =>
      house.did(previewContract, { as }, { body: { id } }),
    );
    expect(shown.totals).toMatchObject({
      netMonthlyRent: 280_000 * first.length,
      deposit: 280_000 * first.length,
      contractTotal: 12 * 280_000 * first.length,
    });
    const { previewHash } = shown;
    await within("done", "submit", () =>
      house.did(submitContract, { as, key: randomUUID() }, { params, body: { previewHash } }),
    );
    const fileIds = [await aScan(house, as)];
    const paper = { fileIds, signedOn: "2026-03-01", previewHash };
    const { bills } = await within("done", "sign", () =>
      house.did(signOfflineContract, { as, key: randomUUID() }, { params, body: paper }),
    );
    expect(bills).toBe(13);
    await settled();
    const due = (await at.bills(id)).filter((b) => b.due <= "2026-03-01").map((b) => b.id);
    await within("aside", "payment", () => at.pay(shop.companyId, due));
    await settled();

    at.on("2026-04-08");
    await act("amendment", amendActs, id, {
      effectiveOn: "2026-05-01",
      reason: "年度调价",
      rises: [{ fromDate: "2026-05-01", percent: "5" }],
    });
    expect(await at.contract(id)).toMatchObject({ monthlyRent: 294_000 * first.length });
    await act("rooms added", addRoomsActs, id, {
      effectiveOn: "2026-04-10",
      reason: "增加员工",
      rooms: more.map((roomId) => ({ roomId, monthlyRent: 280_000 })),
    });
    at.on("2026-04-20");
    const half = first.slice(0, first.length / 2);
    await act("rooms returned", returnRoomsActs, id, {
      effectiveOn: "2026-04-20",
      reason: "员工离职",
      roomIds: half,
    });
    await settled();
    at.on("2026-05-10");
    await act("settlement", settlementActs, id, {
      effectiveOn: "2026-05-10",
      endReason: "early",
      noticeOn: "2026-04-20",
      reason: "项目结束",
      charges: [],
      penaltyReason: "",
    });
    const { rows } = await pool.query(
      "select upper(period)::text free, count(*)::int n from occupancy_row where contract_id = $1 group by 1 order by 1",
      [id],
    );
    expect(rows).toEqual([
      { free: "2026-04-21", n: half.length },
      { free: "2026-05-11", n: ROOMS - half.length },
    ]);
    expect(await at.sound()).toEqual([]);
    if (process.env["ROOMS"]) console.log(`${ROOMS} rooms, ms`, took);
    expect(late).toEqual([]);
  },
);
