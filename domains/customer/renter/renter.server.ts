import { maskName } from "../../../platform/kernel/texts/mask.ts";
import { Refusal, invalid, notFound } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { inScope, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { serveList } from "../../../platform/server/lists/list.ts";
import { serve, serveDone, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { wholeAccount } from "../../party/account/account.service.ts";
import { claimVersion, linkParty } from "../../party/party/party.service.ts";
import { seenIn } from "../record/seen.queries.ts";
import { countReveal } from "../record/reveal.service.ts";
import {
  anonymiseRenter,
  linkRenter,
  lookupRenter,
  mergeRenters,
  revealRenter,
  tagRenters,
  verifyRenter,
} from "./acts.contract.ts";
import { formCheck, mergeInto } from "./merge.service.ts";
import { anonymise, removeRenter } from "./removal.service.ts";
import { optionsFor, renterDetail, summaryOf } from "./renter-detail.queries.ts";
import { updateRenter } from "./renter-edit.service.ts";
import {
  addRenter,
  deleteRenter,
  editRenter,
  exportRenters,
  getRenter,
  renterOptions,
  renterStrip,
  renterSummary,
} from "./renter.contract.ts";
import { renters, seenRenter, stripOf } from "./renter.queries.ts";
import { createRenter, noteRenter, phoneUsedBy } from "./renter.service.ts";
import { CERT_TYPES } from "./words.rules.ts";
import { theRow } from "../../../platform/server/database/row.ts";

/** The one record of a certificate in the operator's enterprise, and whether a village in scope deals with it. */
async function byCertificate(read: Read, certNo: string) {
  return read.tx
    .selectFrom("renter")
    .innerJoin("party", "party.id", "renter.id")
    .select([
      "renter.id",
      "party.name",
      "renter.certType",
      "renter.homeVillageId",
      seenIn(read, "renter.id").as("here"),
    ])
    .where("renter.enterpriseId", "=", read.who.enterpriseId)
    .where("renter.certNoHash", "=", read.cipher.hash(certNo))
    .where("renter.mergedIntoId", "is", null)
    .executeTakeFirst();
}

const LABELS = {
  phone: "手机",
  certNo: "证件号",
  emergencyPhone: "紧急联系电话",
  guardianPhone: "监护人电话",
  bankNumber: "银行账号",
};

type Asked = { field: keyof typeof LABELS; partId?: number | undefined };

/** The number as it was registered; a bank account is named by its own id. */
async function wholeOf(act: Act, renter: Awaited<ReturnType<typeof seenRenter>>, { field, partId }: Asked) {
  if (field === "certNo") return renter.certNoCipher && act.cipher.open(renter.certNoCipher);
  if (field === "bankNumber") return partId && wholeAccount(act, renter.id, partId);
  return renter[field];
}

const hinted = (name: string | null) => name && maskName(name);

export default [
  serveRead(lookupRenter, async (read, { body }) => {
    const row = await byCertificate(read, body.certNo);
    if (!row) return { found: "none" as const, id: null, maskedName: null };
    return {
      found: row.here ? ("here" as const) : ("elsewhere" as const),
      id: row.id,
      maskedName: maskName(row.name),
    };
  }),

  serve(linkRenter, async (act, { params, body }) => {
    const villageId = inScope(act.who, body.villageId);
    const row = await byCertificate(act, body.certNo);
    // Only who knows the whole number may link; a guessed id finds nothing.
    if (!row || row.id !== params.id || row.certType !== body.certType) throw notFound();
    const village = await theRow(act, "village", ["name"], { id: villageId });
    if (await linkParty(act, row.id, villageId, "link"))
      await noteRenter(act, row, { action: "关联", summary: `关联到门店“${village.name}”` }, villageId);
    return { id: row.id };
  }),

  serve(revealRenter, async (act, { params, body }) => {
    const renter = await seenRenter(act, params.id);
    const value = await wholeOf(act, renter, body);
    if (!value) throw new Refusal("empty", `该租客没有登记${LABELS[body.field]}`);
    await countReveal(act);
    await noteRenter(act, renter, {
      action: "查看",
      summary: `查看完整${LABELS[body.field]}：${body.reason}`,
    });
    return { value };
  }),

  serve(verifyRenter, async (act, { params, body }) => {
    const renter = await seenRenter(act, params.id);
    if (!renter.certNoCipher || !renter.certType)
      throw invalid({ field: "certNo", msg: "请先登记证件类型和证件号" });
    const { verify, note } = await formCheck({
      name: renter.name,
      certType: renter.certType,
      certNo: act.cipher.open(renter.certNoCipher),
    });
    await claimVersion(act, renter.id, body.version);
    await act.tx
      .updateTable("renter")
      .set({ verify, verifyNote: note, verifiedAt: act.now.toISOString() })
      .where("id", "=", renter.id)
      .execute();
    await noteRenter(act, renter, {
      action: "实名核验",
      summary: `${CERT_TYPES[renter.certType as keyof typeof CERT_TYPES][0]}核验${verify === "verified" ? "通过" : "未通过"}：${note}`,
    });
    return { verify, note };
  }),

  serve(tagRenters, async (act, { body }) => {
    const removed = new Set(body.remove);
    let changed = 0;
    for (const id of [...new Set(body.ids)].toSorted((a, b) => a - b)) {
      const renter = await seenRenter(act, id);
      const tags = [...new Set([...renter.tags.filter((t) => !removed.has(t)), ...body.add])];
      if (tags.length > 10) throw invalid({ field: "add", msg: `${maskName(renter.name)}的标签超过10个` });
      if (tags.join() === renter.tags.join()) continue;
      await act.tx.updateTable("renter").set({ tags }).where("id", "=", id).execute();
      await noteRenter(
        act,
        { id, homeVillageId: renter.homeVillageId },
        {
          action: "标签",
          summary: "调整标签",
          before: { 标签: renter.tags.join("、") },
          after: { 标签: tags.join("、") },
        },
      );
      changed++;
    }
    return { changed };
  }),

  serve(mergeRenters, async (act, { body }) => {
    await mergeInto(act, body);
    return { id: body.keepId };
  }),

  serve(anonymiseRenter, async (act, { params, body }) => {
    await anonymise(act, params.id, body.version, body.reason);
    return { id: params.id };
  }),
  serveList(renters),
  exportList(exportRenters),
  serveRead(renterStrip, (read, { query }) => stripOf(read, query.villageIds)),
  serveRead(renterOptions, (read, { query }) =>
    optionsFor(read, query.keyword, villagesOf(read.who, query.villageIds)),
  ),
  serveRead(getRenter, (read, { params }) => renterDetail(read, params.id)),
  serveRead(renterSummary, (read, { params }) => summaryOf(read, params.id)),

  serve(addRenter, async (act, { body }) => {
    const { id } = await createRenter(act, body);
    return { id, phoneUsedBy: hinted(await phoneUsedBy(act, id, body.phone)) };
  }),
  serve(editRenter, async (act, { params, body }) => {
    await updateRenter(act, params.id, body);
    const used = body.phone === undefined ? null : await phoneUsedBy(act, params.id, body.phone);
    return { id: params.id, phoneUsedBy: hinted(used) };
  }),
  serveDone(deleteRenter, (act, { params, query }) => removeRenter(act, params.id, query.version)),
];
