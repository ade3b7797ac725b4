import { sql } from "kysely";
import { addDays, timeInZone, type Day } from "../../../platform/kernel/day.ts";
import { eachByItself } from "../../../platform/server/jobs/by-itself.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { sendNotices } from "../../customer/push/notice.service.ts";
import { changed } from "../../listing/occupancy/occupancy.service.ts";
import { tell } from "../../system/message/message.service.ts";
import { recordById, contractNote } from "../contract/record.queries.ts";
import { rentOn, scheduleOf } from "../terms/terms.rules.ts";
import { backToDraft } from "./submit.service.ts";
import { contractExpired } from "./signing.contract.ts";

const DAY_MS = 86_400_000;

/** Contracts that nobody signed in time fall back into drafts and let go of their rooms. Answers how many did. */
export async function letGoOverdue(act: Act, most = 200): Promise<number> {
  const late = await act.tx
    .selectFrom("contract")
    .select(["id", "contractNo", "signDeadline"])
    .where("state", "=", "signing")
    .where("signDeadline", "<=", act.now.toISOString())
    // what waits for an approval of its paper or its voiding is not taken from under it
    .where(sql<boolean>`not exists (select from examine e where e.target_kind = 'contract' and e.target_id = contract.id
      and e.state = 'approving')`)
    // what is signed at an outside provider ends with what that says; where it says nothing for a day, without it
    .where((eb) =>
      eb.or([
        eb("signDeadline", "<=", new Date(act.now.getTime() - DAY_MS).toISOString()),
        eb.not(
          eb.exists(
            eb
              .selectFrom("signFlow as w")
              .select("w.id")
              .where((of) =>
                of.or([
                  of("w.contractId", "=", of.ref("contract.id")),
                  of("w.otherContractId", "=", of.ref("contract.id")),
                ]),
              )
              .where("w.endedAt", "is", null)
              .where("w.externalId", "is not", null),
          ),
        ),
      ]),
    )
    .orderBy("id")
    .limit(most)
    .forNoKeyUpdate()
    .skipLocked()
    .execute();
  return eachByItself(
    act,
    late,
    ({ contractNo }) => contractNo,
    async ({ id, signDeadline }) => {
      const contract = await recordById(act, id);
      const when = timeInZone(signDeadline!, act.settings.TIME_ZONE).slice(0, 16);
      await backToDraft(act, contract!, "签署过期", `签署期限 ${when} 已过，退回草稿，释放房间`);
      await tell(act, {
        to: [contract!.signerId ?? contract!.createdBy].filter((to) => to !== null),
        type: 3,
        title: `${contract!.contractNo} 超过签署期限`,
        content: `签署期限 ${when} 已过，合同退回草稿，房间已释放。`,
        bizType: "contract",
        bizId: id,
        villageId: contract!.villageId,
      });
    },
  );
}

type Unsigned = {
  id: number;
  contractNo: string;
  villageId: number;
  enterpriseId: number;
  partyId: number;
  partyName: string;
  roomNames: string;
  signDeadline: string;
  once: string;
  to: number;
  /** Who is to sign next by a link that still leads somewhere. */
  phone: string | null;
  name: string | null;
};

/** Contracts that have a day left to be signed: whoever signs for the lessor hears of each once, and so does who has the link. */
export async function remindUnsigned(act: Act): Promise<number> {
  const now = act.now.toISOString();
  const { rows } = await sql<Unsigned>`
    select c.id, c.contract_no "contractNo", c.village_id "villageId", c.enterprise_id "enterpriseId",
      c.party_name "partyName", c.room_names "roomNames", c.sign_deadline "signDeadline",
      coalesce(o.id, c.created_by, v.manager_id) "to", w.phone, w.name, coalesce(w.party_id, c.party_id) "partyId", k.once
    from contract c join village v on v.id = c.village_id
    cross join lateral (select 'contract.unsigned.' || c.id || '.' || extract(epoch from c.sign_deadline)::bigint once) k
    left join operator o on o.id = c.signer_operator_id and o.state = 'active'
    left join lateral (select s.phone, s.name, p.party_id from sign_flow f join sign_signer s on s.flow_id = f.id
      left join contract p on p.id = c.previous_id and s.role = 'previousParty'
      where (f.contract_id = c.id and s.role in ('party', 'previousParty') or f.other_contract_id = c.id and s.role = 'otherParty')
        and f.act_id is null and f.ended_at is null and f.provider = 'embedded'
        and f.deadline > ${now} and s.state in ('sent', 'viewed') order by s.id limit 1) w on true
    where c.state = 'signing' and c.sign_deadline > ${now}
      and c.sign_deadline <= ${new Date(act.now.getTime() + DAY_MS).toISOString()}
      and not exists (select from message m where m.once_key = k.once)
    order by c.sign_deadline, c.id`.execute(act.tx);
  for (const { once, ...c } of rows) {
    const when = timeInZone(c.signDeadline, act.settings.TIME_ZONE).slice(0, 16);
    await tell(act, {
      to: [c.to],
      type: 3,
      title: `${c.contractNo} 待签署，${when} 截止`,
      content: `${c.partyName}的合同 ${c.contractNo} 还没有签署，到 ${when} 仍未签署的，退回草稿并释放房间。请联系客户。`,
      bizType: "contract",
      bizId: c.id,
      villageId: c.villageId,
      once,
    });
    if (!c.phone) continue;
    await sendNotices(act, [
      {
        notice: "签署提醒",
        channel: "sms",
        recipient: c.phone,
        body: `${c.name}您好，${c.roomNames}的租赁合同待您签署，请在 ${when} 前打开之前短信中的链接完成签署。如链接已失效，请联系管家重新发送。`,
        source: "notice",
        sourceId: c.id,
        partyId: c.partyId,
        villageId: c.villageId,
        enterpriseId: c.enterpriseId,
        once,
      },
    ]);
  }
  return rows.length;
}

type Over = { id: number; contractNo: string; villageId: number; end: Day; roomIds: number[] };

/** The end of a day: leases whose last day has passed are held over until somebody settles or renews them. */
export async function expireEnded(act: Act): Promise<number> {
  const { rows } = await sql<Over>`
    update contract c set state = 'expired', version = version + 1, updated_at = ${act.now}, updated_by = null
    where c.state = 'effective' and c.end_date < ${act.today} and c.next_id is null
    returning c.id, c.contract_no "contractNo", c.village_id "villageId", c.end_date "end",
      (select array_agg(room_id order by seq) from contract_room where contract_id = c.id) "roomIds"`.execute(
    act.tx,
  );
  await act.note(rows.map((c) => contractNote(c, "到期未退", `租期于 ${c.end} 届满，尚未退房或续租`)));
  await changed(
    act,
    rows.flatMap((c) => c.roomIds.map((roomId) => ({ roomId, villageId: c.villageId }))),
  );
  if (rows.length)
    await act.emit(contractExpired, {
      contracts: rows.map(({ id, villageId }) => ({ contractId: id, villageId })),
    });
  return rows.length;
}

/** The rent that lists show moves with the steps printed in the contracts. Looks a month back, for days on which nothing ran. */
export async function moveRents(act: Act): Promise<void> {
  const since = addDays(act.today, -31);
  const { rows } = await sql<{ id: number; contractNo: string }>`
    select c.id, c.contract_no "contractNo" from contract c where c.state = 'effective' and (exists (
      select 1 from jsonb_array_elements(c.terms->'steps') step
      where (step->>'fromDate')::date between ${since}::date and ${act.today}::date)
    or jsonb_typeof(c.terms->'stepRule') = 'object' and exists (
      select 1 from (select coalesce((rule->>'from')::date, c.start_date) base,
          (rule->>'every')::int * case rule->>'unit' when 'year' then 12 else 1 end months
        from (select c.terms->'stepRule' rule) r) r, generate_series(0, 240) k
      where (r.base + make_interval(months => r.months * k))::date between ${since}::date and ${act.today}::date)
    or exists (select from contract_room r where r.contract_id = c.id
      and (r.join_date between ${since}::date and ${act.today}::date and r.join_date > c.start_date
        or r.leave_date between ${since}::date - 1 and ${act.today}::date - 1)))`.execute(act.tx);
  await eachByItself(
    act,
    rows,
    ({ contractNo }) => contractNo,
    async ({ id }) => {
      const contract = await recordById(act, id);
      const input = scheduleOf({ ...contract!, start: contract!.start!, end: contract!.end! });
      await act.tx
        .updateTable("contract")
        .set({ currentRent: rentOn(input, act.today) })
        .where("id", "=", id)
        .execute();
    },
  );
}
