import fc from "fast-check";
import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aForm, aRoom, aShop, signed } from "../contract/contract.sample.ts";
import { formData } from "../drafting/draft.contract.ts";
import { dueOn } from "../schedule/slot.rules.ts";
import { anyForm } from "../terms/any-form.sample.ts";
import { liveBills } from "../terms/check.rules.ts";

const house = await testHouse();
const TODAY = "2026-03-12";
house.setClock(`${TODAY}T10:00:00+08:00`);
const shop = await aShop(house, { permits: ["#904"] });
const { fees } = await house.did(formData, { as: shop.clerk }, { query: { villageId: shop.villageId } });
const chosen = fees.filter((f) => ["property", "network", "key"].includes(f.code));

const samples = fc.sample(anyForm(chosen, "2026-01-15"), { numRuns: 30, seed: 20_260_312 });

test.each(samples.map((sample, i) => [i + 1, sample] as const))(
  "terms %i: the panel in the browser, the server's preview and the bills in the database are the same",
  async (n, { start, end, terms, rent }) => {
    const roomId = await aRoom(house, shop.building, `R${n}`);
    const form = aForm({ ...shop, roomId }, { ...terms, start, rent });
    form.end = end;
    const data = await house.did(
      formData,
      { as: shop.clerk },
      { query: { villageId: shop.villageId, roomIds: String(roomId), partyId: shop.partyId, start, end } },
    );
    const limits = { ...data.config, today: data.today, mayBackdate: false, rooms: data.rooms };
    const live = liveBills(form, { ...limits, party: data.party ?? undefined });
    expect(live.errors).toEqual([]);
    const plan = live.plan!;

    const { id, preview } = await signed(house, shop.clerk, form, TODAY);
    const lineOf = (l: { from: string; to: string; amount: number; roomId: number | null }) =>
      `${l.from} ${l.to} ${l.roomId} ${l.amount}`;
    const billOf = (
      b: { title: string; periodStart: string; periodEnd: string; amount: number },
      due: string,
    ) => `${b.title} ${b.periodStart} ${b.periodEnd} ${due} ${b.amount}`;
    const planned = plan.bills.map((b) => [
      billOf(b, dueOn(b, TODAY, terms.due.firstDueDays ?? 0)),
      ...b.lines.map(lineOf),
    ]);
    const first = dueOn({ onSigning: true, dueRuleDate: null }, TODAY, terms.due.firstDueDays ?? 0);
    const previewed = preview.added.map((b) => [billOf(b, b.dueOn ?? first), ...b.lines.map(lineOf)]);
    expect(previewed).toEqual(planned);

    const bills = await house.database.db
      .selectFrom("bill")
      .select(["id", "title", "periodStart", "periodEnd", "dueDate", "amount", "adjusted"])
      .where("contractId", "=", id)
      .orderBy("id")
      .execute();
    const lines = await house.database.db
      .selectFrom("billLine")
      .select(["billId", "periodStart", "periodEnd", "amount", "roomId"])
      .where(
        "billId",
        "in",
        bills.map((b) => b.id),
      )
      .orderBy("id")
      .execute();
    const stored = bills.map((b) => [
      // discounts are kept apart from what they lower
      billOf(
        { ...b, amount: b.amount + b.adjusted, periodStart: b.periodStart!, periodEnd: b.periodEnd! },
        b.dueDate,
      ),
      ...lines
        .filter((l) => l.billId === b.id)
        .map((l) => lineOf({ from: l.periodStart!, to: l.periodEnd!, amount: l.amount, roomId: l.roomId })),
    ]);
    expect(stored).toEqual(planned);
  },
);
