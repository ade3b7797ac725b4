import { createHash } from "node:crypto";
import type { Day } from "../../../platform/kernel/day.ts";
import { invalid, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { printed } from "../../system/paper/print.service.ts";
import { paperIn, type Wording } from "../template/blocks.rules.ts";
import type { DocKind } from "../template/doc-kind.rules.ts";
import { cleaned } from "../template/html.rules.ts";
import { type Sample, SAMPLES, publishErrors } from "../template/template.rules.ts";
import { specimenOf } from "./specimens.rules.ts";
import { newest } from "./template.queries.ts";

/** A refusal names so many places. */
const TOLD = 5;

const unfit = (places: readonly string[]) =>
  new Refusal(
    "notPublishable",
    places.slice(0, TOLD).join("；") + (places.length > TOLD ? `；另有 ${places.length - TOLD} 处` : ""),
    422,
  );

/** Prints every sample in these words and names what does not fit on a page. */
async function overflowing(docKind: DocKind, wording: Wording): Promise<string[]> {
  const places: string[] = [];
  for (const [sample, [title]] of Object.entries(SAMPLES)) {
    const overflows: string[] = [];
    await printed(paperIn(wording, specimenOf(docKind, sample as Sample)), title, undefined, overflows);
    places.push(...overflows.map((text) => `${title}：表格中“${text.slice(0, 20)}…”所在的行超出一页`));
  }
  return places;
}

/** Publishes the draft of a template from a day on, after everything that a contract would stumble over was looked at. */
export async function publish(
  act: Act,
  { id: templateId, docKind }: { id: number; docKind: DocKind },
  effectiveFrom: Day,
): Promise<number> {
  const draft = await newest(act, templateId);
  if (draft.publishedAt) throw new Refusal("notAllowed", "没有未发布的修改，请先编辑模板");
  if (effectiveFrom < act.today) throw invalid({ field: "effectiveFrom", msg: "生效日不能早于今天" });
  const before = await act.tx
    .selectFrom("templateVersion")
    .select(["no", "effectiveFrom"])
    .where("templateId", "=", templateId)
    .where("publishedAt", "is not", null)
    .orderBy("effectiveFrom", "desc")
    .limit(1)
    .executeTakeFirst();
  // otherwise the version before would come back one day and take its place
  if (before && effectiveFrom < before.effectiveFrom!)
    throw invalid({
      field: "effectiveFrom",
      msg: `生效日不能早于第 ${before.no} 版的生效日 ${before.effectiveFrom}`,
    });
  const { html, head, foot } = draft;
  const { pieces, wrong } = cleaned(html);
  const errors = wrong ? [wrong] : publishErrors(docKind, pieces, head, foot);
  if (errors.length) throw unfit(errors);
  const places = await overflowing(docKind, { pieces, head, foot });
  if (places.length) throw unfit(places);
  await act.tx
    .updateTable("templateVersion")
    .set({
      effectiveFrom,
      publishedAt: act.now.toISOString(),
      publishedBy: act.who.operatorId,
      hash: createHash("sha256")
        .update(JSON.stringify([html, head, foot]))
        .digest("hex"),
    })
    .where("id", "=", draft.id)
    .execute();
  return draft.no;
}
