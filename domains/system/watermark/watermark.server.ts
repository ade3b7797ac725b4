import { asSeen, UNSAVED } from "../../../platform/server/database/versioned.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { marksExports } from "../../../platform/server/sheets/export.ts";
import { villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { getWatermark, putWatermark, watermarkContent } from "./watermark.contract.ts";
import { DEFAULT_CONTENT, DEFAULT_LOOK, SCOPES, type Scope } from "./watermark.rules.ts";
import { markOf } from "./watermark.service.ts";

marksExports(async (read) => (await markOf(read, "exports"))?.text);

const chosen = ({ tx, who }: Pick<Read, "tx" | "who">) =>
  tx
    .selectFrom("watermarkConfig")
    .select(["enabled", "content", "opacity", "angle", "gap", "scopes", "villageIds", "version"])
    .where("enterpriseId", "=", who.enterpriseId);

export default [
  serveRead(watermarkContent, async (read) => (await markOf(read, "pages")) ?? null),

  serveRead(getWatermark, async (read) => {
    const row = await chosen(read).executeTakeFirst();
    return row
      ? { ...row, scopes: row.scopes as Scope[] }
      : {
          enabled: false,
          content: DEFAULT_CONTENT,
          ...DEFAULT_LOOK,
          scopes: Object.keys(SCOPES) as Scope[],
          villageIds: [],
          version: 0,
        };
  }),

  serve(putWatermark, async (act, { body }) => {
    const { who, now } = act;
    villagesOf(who, body.villageIds);
    const before = await chosen(act).forUpdate().executeTakeFirst();
    asSeen(before ?? UNSAVED, body.version);
    const row = {
      ...body,
      version: body.version + 1,
      updatedBy: who.operatorId,
      updatedAt: now.toISOString(),
    };
    await act.tx
      .insertInto("watermarkConfig")
      .values({ enterpriseId: who.enterpriseId, ...row })
      .onConflict((c) => c.column("enterpriseId").doUpdateSet(row))
      .execute();
    await act.note({
      kind: "watermark",
      recordId: who.enterpriseId,
      action: "修改",
      summary: `${body.enabled ? "启用" : "停用"}水印：${body.content}`,
      before,
      after: body,
    });
    return { version: row.version };
  }),
];
