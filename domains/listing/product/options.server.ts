import { sql } from "kysely";
import type { z } from "zod";
import { part } from "../../../platform/server/lists/conditions.ts";
import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { layoutText } from "../room/words.rules.ts";
import { productFees, productOptions } from "./options.contract.ts";
import { generalPrice, seenProducts } from "./product.queries.ts";

type Option = z.input<typeof productOptions.reply>[number];

export default [
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
];
