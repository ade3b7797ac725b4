import { sql } from "kysely";
import type { z } from "zod";
import { changesOf } from "../../../platform/kernel/fields/changes.ts";
import { Refusal, invalid } from "../../../platform/kernel/refusal.ts";
import { removeAt, revise, stamp } from "../../../platform/server/database/versioned.ts";
import { part } from "../../../platform/server/lists/conditions.ts";
import { serveList } from "../../../platform/server/lists/list.ts";
import { type Act, entryOn } from "../../../platform/server/pipeline/act.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { unused } from "../room/room.queries.ts";
import { layoutText, PRICE_UNITS, wordOf } from "../room/words.rules.ts";
import {
  pricesFor,
  productDetail,
  generalPrice,
  productList,
  productMine,
  seenProducts,
  candidatesOf,
  dealsOf,
  pricesOf,
  roomsOf,
  productSeen,
} from "./product.queries.ts";
import {
  productFees,
  productOptions,
  addProduct,
  deleteProduct,
  disableProduct,
  editProduct,
  enableProduct,
  exportProducts,
  product,
  productShape,
} from "./product.contract.ts";
import { redraw } from "../room/rename.service.ts";
import { priceProduct, type ProductPrice } from "../room/product-price.service.ts";
import { undeletable } from "./product.rules.ts";
import { createProduct, hangPictures, rowOf, usableFields, linkRooms } from "./product.service.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { lookAt, proposeGiven, refuseProductPending } from "../pricing/given.service.ts";
import {
  productCandidates,
  productDeals,
  previewProductPrice,
  productPrices,
  productRooms,
  setProductPrice,
  setProductRooms,
} from "./price.contract.ts";
import { aRow } from "../../../platform/server/database/row.ts";

/** What of a product may not change any more because it has rooms. */
async function keptByRooms(
  act: Act,
  before: Awaited<ReturnType<typeof productMine>>,
  after: { kind: string; priceUnit: string; villageIds: readonly number[] },
) {
  const { rows } = await sql<{ villageId: number; name: string; n: number }>`
    select v.id "villageId", v.name, count(*) n from room r join village v on v.id = r.village_id
    where r.product_id = ${before.id} group by 1, 2 order by 1`.execute(act.tx);
  if (!rows.length) return;
  if (after.kind !== before.kind) throw invalid({ field: "kind", msg: "已有房间，类型不能修改" });
  if (after.priceUnit !== before.priceUnit)
    throw invalid({ field: "priceUnit", msg: "已有房间，计价单位不能修改" });
  const left = rows.find((row) => !after.villageIds.includes(row.villageId));
  if (left)
    throw invalid({ field: "villageIds", msg: `${left.name} 有 ${left.n} 间该产品的房间，不能移除该门店` });
}

async function turn(act: Act, id: number, version: number, enabled: boolean) {
  const row = await productMine(act, id);
  if (row.enabled === enabled) throw new Refusal("notAllowed", `产品已${enabled ? "启用" : "停用"}`);
  await revise(act, "product", { id, version }, { enabled, ...stamp(act) });
  const action = enabled ? "启用" : "停用";
  await act.note(entryOn("product", { id }, row.code, action, `${action}产品`));
  return { id };
}

type Option = z.input<typeof productOptions.reply>[number];

/** The next version of a product, or a refusal where somebody else has changed it meanwhile. */
async function nextVersion(act: Act, id: number, version: number): Promise<void> {
  await revise(act, "product", { id, version }, { ...stamp(act) });
}

const asked = (productId: number, price: ProductPrice) => ({ kind: "product", productId, ...price }) as const;

export default [
  exportList(exportProducts),

  serveList(productList),
  serveRead(product, (read, { params }) => productDetail(read, params.id)),

  serve(addProduct, async (act, { body }) => {
    const { listPrice, lowestPrice, effectiveDay, villagePrices, ...fields } = body;
    await usableFields(act, fields);
    const price = await pricesFor(act, fields, { listPrice, lowestPrice, effectiveDay, villagePrices });
    const id = await createProduct(act, fields);
    await priceProduct(act, { id, priceUnit: fields.priceUnit }, price);
    return { id };
  }),

  serve(editProduct, async (act, { params, body }) => {
    const before = await productMine(act, params.id);
    const { version, pictures, ...fields } = body;
    await usableFields(act, fields, before);
    await keptByRooms(act, before, fields);
    const after = await revise(
      act,
      "product",
      { id: params.id, version },
      { ...rowOf(fields), ...stamp(act) },
    );
    const pictured = await hangPictures(act, params.id, pictures);
    const { payPlans: _, fees: __, villageIds: ___, ...plain } = productShape;
    const changes = changesOf(plain, before, after);
    const also = (
      [
        ["villageIds", "适用门店"],
        ["payPlans", "付款方式"],
        ["fees", "费用"],
      ] as const
    ).flatMap(([key, title]) =>
      JSON.stringify(before[key]) === JSON.stringify(after[key]) ? [] : [`修改${title}`],
    );
    if (pictured) also.push("修改图片");
    // what channels publish of a product itself
    if (pictured || JSON.stringify(before.payPlans) !== JSON.stringify(after.payPlans))
      await redraw(act, { productId: params.id });
    if (changes || also.length)
      await act.note(
        entryOn("product", params, after.code, "修改", {
          ...changes,
          summary: [changes?.summary, ...also].filter(Boolean).join("；"),
        }),
      );
    return { id: params.id };
  }),

  serve(enableProduct, (act, { params, body }) => turn(act, params.id, body.version, true)),
  serve(disableProduct, (act, { params, body }) => turn(act, params.id, body.version, false)),

  serve(deleteProduct, async (act, { params, query }) => {
    const row = await productMine(act, params.id);
    const { n } = await act.tx
      .selectFrom("room")
      .select((eb) => eb.fn.countAll<number>().as("n"))
      .where("productId", "=", params.id)
      .executeTakeFirstOrThrow();
    const why = undeletable(Number(n));
    if (why) throw new Refusal("inUse", why);
    const change = await aRow(act, "priceChange", ["number"], { productId: params.id });
    if (change) throw new Refusal("inUse", `该产品有调价单 ${change.number}，不能删除，可改为停用`);
    // a channel that is being saved with it is waited for
    await sql`select from product where id = ${params.id} for update`.execute(act.tx);
    const channel = await act.tx
      .selectFrom("channel")
      .select("name")
      .where(sql<boolean>`${params.id} = any(product_ids)`)
      .executeTakeFirst();
    if (channel)
      throw new Refusal(
        "inUse",
        `渠道“${channel.name}”的发布规则选了该产品，不能删除，请先从规则中移除，或改为停用`,
      );
    await unused(act, "product", [params.id], "该产品", "可改为停用", ["room"]);
    await removeAt(act, "product", { id: params.id, version: query.version });
    await act.note(entryOn("product", params, row.code, "删除", `删除产品 ${row.name}`));
    return null;
  }),
  serveRead(productOptions, async (read, { query: q }) => {
    const villages = villagesOf(read.who, q.villageId ? [q.villageId] : undefined);
    const { rows } = await sql<Omit<Option, "layout"> & { bedrooms: number; halls: number; baths: number }>`
      select d.id, d.code, d.name, d.kind, d.bedrooms, d.halls, d.baths, d.price_unit "priceUnit",
        d.pay_plans "payPlans",
        coalesce((select x.list_price from product_price x where x.product_id = d.id and x.village_id = ${q.villageId ?? null}
          and x.effective_day = (select max(y.effective_day) from product_price y
            where y.product_id = d.id and y.effective_day <= ${read.today})), p.list_price) "listPrice"
      from product d left join lateral (${generalPrice(read, sql`d.id`)}) p on true
      where ${seenProducts(read, villages)}
        ${q.ids?.length ? sql`and d.id = ${anyOf(q.ids)}` : sql`and d.enabled`}
        ${q.kind ? sql`and d.kind = ${q.kind}` : sql``}
        ${q.keyword ? sql`and ${part("d.code", "d.name")(q.keyword)}` : sql``}
      order by d.name collate "zh-x-icu", d.id limit 200`.execute(read.tx);
    return rows.map(({ bedrooms, halls, baths, ...row }) => ({
      ...row,
      layout: layoutText({ bedrooms, halls, baths }),
    }));
  }),

  serveRead(productFees, async (read) =>
    read.tx
      .selectFrom("feeBrief as s")
      .innerJoin("feeChoice as c", "c.id", "s.id")
      .select(["s.id", "s.name"])
      .where("enterpriseId", "=", read.who.enterpriseId)
      .where("kind", "=", "income")
      .where("enabled", "=", true)
      .orderBy("priority")
      .orderBy("s.id")
      .execute(),
  ),

  serveRead(productPrices, async (read, { params }) => {
    await productSeen(read, params.id);
    return pricesOf(read, params.id);
  }),
  serveRead(productRooms, async (read, { params }) => {
    await productSeen(read, params.id);
    return roomsOf(read, params.id);
  }),
  serveRead(productCandidates, (read, { params }) => candidatesOf(read, params.id)),
  serveRead(productDeals, async (read, { params }) => {
    await productSeen(read, params.id);
    return dealsOf(read, params.id);
  }),

  serveRead(previewProductPrice, async (read, { params, body }) => {
    const row = await productMine(read, params.id);
    const { lines, totals, waits } = await lookAt(read, asked(row.id, await pricesFor(read, row, body)));
    const { oldAverage, newAverage, effect } = totals;
    const byJob = lines.length > read.settings.PRICE_JOB_ROOMS;
    return { rooms: lines.length, moved: totals.rooms, oldAverage, newAverage, effect, byJob, waits };
  }),

  serve(setProductPrice, async (act, { params, body }) => {
    const row = await productMine(act, params.id);
    const { version, reason, ...given } = body;
    const price = await pricesFor(act, row, given);
    await nextVersion(act, row.id, version);
    await refuseProductPending(act, row.id);
    const waiting = await proposeGiven(act, asked(row.id, price), reason);
    if (waiting) {
      const { lines } = waiting;
      return { effectiveDay: price.effectiveDay, rooms: lines, change: waiting };
    }
    const rooms = await priceProduct(act, row, price);
    const unit = wordOf(PRICE_UNITS, row.priceUnit);
    const others = price.villages.length ? `，${price.villages.length} 个门店另定` : "";
    const action = "调价";
    await act.note([
      {
        kind: "product",
        recordId: row.id,
        number: row.code,
        action,
        summary: `调价，${price.effectiveDay} 起标价 ${yuan(price.listPrice)} ${unit}${others}，${rooms.length} 间跟随房间随之变更`,
        after: price,
      },
      ...rooms.map((room) => ({
        kind: "room",
        recordId: room.roomId,
        number: room.fullName,
        villageId: room.villageId,
        action,
        summary: `随产品 ${row.name} 调价，${price.effectiveDay} 起生效`,
      })),
    ]);
    return { effectiveDay: price.effectiveDay, rooms: rooms.length, change: null };
  }),

  serve(setProductRooms, async (act, { params, body }) => {
    const row = await productMine(act, params.id);
    await nextVersion(act, row.id, body.version);
    const done = await linkRooms(act, row, body);
    await act.note({
      kind: "product",
      recordId: row.id,
      number: row.code,
      action: "关联房间",
      summary: `关联房间：新增 ${done.added} 间，移出 ${done.removed} 间，改为跟随产品 ${done.following} 间`,
    });
    return done;
  }),
];
