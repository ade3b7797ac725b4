import { sql } from "kysely";
import { notFound } from "../../../platform/kernel/refusal.ts";
import { amongWords, fromDay, is, keyword, part, toDay } from "../../../platform/server/lists/conditions.ts";
import { listOf, type RowOf } from "../../../platform/server/lists/list.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { deploymentCertificate } from "./certificate.service.ts";
import { listSeals, listSealUses } from "./seal.contract.ts";
import { type Authorisation, unauthorised } from "./seal.rules.ts";

type Raw = Omit<RowOf<typeof listSeals>, "why"> & Authorisation & { enabled: boolean };

export const seals = listOf(listSeals, {
  id: "s.id",
  from: sql`seal s join lessor l on l.id = s.lessor_id`,
  scope: (read, { villageIds }) => sql`l.enterprise_id = ${read.who.enterpriseId}
    ${villageIds?.length ? sql`and s.village_ids && ${villagesOf(read.who, villageIds) as number[]}::bigint[]` : sql``}`,
  where: {
    lessorId: is("s.lessor_id"),
    kind: amongWords("s.kind"),
    state: (state) => sql`s.enabled = ${state === "enabled"}`,
    keyword: keyword(part("s.name"), part("l.name")),
  },
  sort: {
    updatedAt: "s.updated_at",
    name: { by: sql`s.name collate "zh-x-icu"`, way: "asc" },
    validTo: { by: "c.valid_to", join: sql`left join seal_certificate c on c.id = s.certificate_id` },
  },
  order: "updatedAt",
  columns: sql<Raw>`s.id, s.name, s.kind, s.image_file_id "imageFileId", l.id "lessorId", l.name "lessorName",
    coalesce((select string_agg(v.name, '、' order by v.id) from village v where v.id = any(s.village_ids)), '') "villageNames",
    coalesce((select string_agg(o.real_name, '、' order by o.id) from operator o where o.id = any(s.operator_ids)), '') "operatorNames",
    case when s.certificate_id is null then 'deployment' else 'imported' end source, c.valid_to "validTo",
    s.auto_seal "autoSeal", s.enabled, case when s.enabled then 'enabled' else 'disabled' end state,
    s.updated_at "updatedAt", s.version,
    l.enabled "lessorEnabled", l.auth_state "authState", l.auth_from "authFrom", l.auth_to "authTo",
    l.auth_kinds "authKinds", l.auth_village_ids "authVillageIds", l.auth_seal_ids "authSealIds"`,
  join: sql`join seal s on s.id = page.id join lessor l on l.id = s.lessor_id
    left join seal_certificate c on c.id = s.certificate_id`,
  rows: (raws, read) =>
    raws.map((raw) => ({
      ...raw,
      why: !raw.enabled
        ? "印章已停用"
        : (unauthorised(raw, read.today) ??
          (raw.validTo !== null && new Date(raw.validTo) <= read.now ? "印章证书已过期" : "")),
    })),
});

/** A seal of the caller's enterprise, as it is stored. */
export async function sealSeen(read: Read, id: number, lock = false) {
  let query = read.tx
    .selectFrom("seal as s")
    .innerJoin("lessor as l", "l.id", "s.lessorId")
    .selectAll("s")
    .select("l.name as lessorName")
    .where("s.id", "=", id)
    .where("l.enterpriseId", "=", read.who.enterpriseId);
  if (lock) query = query.forUpdate("s");
  const row = await query.executeTakeFirst();
  if (!row) throw notFound();
  return row;
}

/** A seal as people see it, with what its certificate says of itself: never the key. */
export async function sealDetail(read: Read, id: number) {
  const row = await sealSeen(read, id);
  const own = await deploymentCertificate(read);
  const certificateId = row.certificateId ?? own?.id;
  const [[shown], image, certificate, uses] = await Promise.all([
    seals.rowsOf(read, [id]),
    read.tx
      .selectFrom("storedFile")
      .select(["id", "name", "type"])
      .where("id", "=", row.imageFileId)
      .executeTakeFirstOrThrow(),
    certificateId === undefined
      ? undefined
      : read.tx
          .selectFrom("sealCertificate")
          .select(["subject", "issuer", "serial", "fingerprint", "validFrom", "validTo"])
          .where("id", "=", certificateId)
          .executeTakeFirst(),
    read.tx
      .selectFrom("sealUse")
      .select((eb) => eb.fn.countAll<number>().as("uses"))
      .where("sealId", "=", id)
      .where("villageId", "=", anyOf(read.who.villages))
      .executeTakeFirstOrThrow(),
  ]);
  return {
    ...shown!,
    villageIds: row.villageIds.filter((village) => read.who.villages.includes(village)),
    operatorIds: row.operatorIds,
    image,
    subject: certificate?.subject ?? "首次盖章时生成",
    issuer: certificate?.issuer ?? "",
    serial: certificate?.serial ?? "",
    fingerprint: certificate?.fingerprint ?? "",
    validFrom: certificate?.validFrom ?? null,
    validTo: certificate?.validTo ?? null,
    uses: uses.uses,
    createdAt: row.createdAt,
  };
}

export const sealUses = listOf(listSealUses, {
  id: "u.id",
  from: sql`seal_use u`,
  village: "u.village_id",
  where: {
    sealId: is("u.seal_id"),
    operatorId: is("u.operator_id"),
    from: fromDay("u.at"),
    to: toDay("u.at"),
    keyword: keyword(part("u.title")),
  },
  sort: { at: "u.at" },
  order: "at",
  columns: sql<
    RowOf<typeof listSealUses>
  >`u.id, u.at, s.name "sealName", s.kind "sealKind", l.name "lessorName",
    u.title, u.file_id "fileId", v.name "villageName", coalesce(o.real_name, '自动盖章') "operatorName", u.reason`,
  join: sql`join seal_use u on u.id = page.id join seal s on s.id = u.seal_id join lessor l on l.id = s.lessor_id
    join village v on v.id = u.village_id left join operator o on o.id = u.operator_id`,
});
