import type { Pool } from "pg";
import type { Day } from "../../platform/kernel/day.ts";

const ANNOUNCEMENTS = [
  {
    ago: 2,
    pinned: true,
    title: "冬季用电与消防安全检查安排",
    content:
      "各门店请在 **本月 30 日前** 完成冬季安全自查：\n- 逐层检查灭火器压力与消防通道\n- 抽查公共厨房与电动车充电区\n- 提醒租客不使用大功率取暖设备\n检查结果由店长汇总后交总部运营。",
  },
  {
    ago: 6,
    pinned: false,
    title: "对公到账认领时间调整",
    content: "自下周一起，对公到账请在到账 **2 个工作日** 内完成认领，逾期未认领的由财务统一跟进。",
  },
  {
    ago: 15,
    pinned: false,
    title: "续租优惠登记说明",
    content: "提前 30 天续租一年的租客可享受续租优惠，请在合同到期前与客户确认并登记。",
  },
];

const NOTES = [
  {
    ago: 3,
    version: "v7.0.1",
    type: "新功能",
    module: "消息中心",
    content: "新增消息铃铛、消息中心与公告，逾期账单、到期合同和导出结果主动提醒。",
  },
  {
    ago: 24,
    version: "v7.0.0",
    type: "优化",
    module: "房态图",
    content: "房态图支持大规模房源流畅滚动，图例计数可点击筛选。",
  },
  {
    ago: 52,
    version: "v6.9.4",
    type: "修复",
    module: "账单管理",
    content: "修复跨月账单按天折算时末日少计一天的问题。",
  },
];

/** What the people of the demo have been told: release notes, announcements, late bills and contracts that end soon. */
export async function tellPeople(pool: Pool, enterpriseId: number, today: Day): Promise<void> {
  const at = "($1::date - $2::int + time '08:30') at time zone 'Asia/Shanghai'";
  for (const { ago, version, type, module, content } of NOTES)
    await pool.query(
      `insert into version_note (release_time, version, type, module, content)
       values ($1::date - $2::int + time '10:00', $3, $4, $5, $6)`,
      [today, ago, version, type, module, content],
    );
  for (const { ago, pinned, title, content } of ANNOUNCEMENTS)
    await pool.query(
      `with a as (
         insert into announcement (enterprise_id, title, content, audience, pinned, publish_at, state, told_at, created_by)
         select $3, $4, $5, 'all', $6, ${at}, 'published', ${at}, min(id) from operator where super_type <> ''
         returning id, title, content, publish_at, created_by),
       m as (
         insert into message (type, title, content, biz_type, biz_id, push_time, once_key)
         select 7, '公告：' || title, replace(content, '**', ''), 'announcement', id, publish_at, 'announcement.' || id || '.1'
         from a returning id, type, push_time)
       insert into message_receipt (message_id, operator_id, type, push_time)
       select m.id, o.id, m.type, m.push_time from m, a, operator o where o.id <> a.created_by`,
      [today, ago, enterpriseId, title, content, pinned],
    );
  await pool.query(
    `with late as (
       select v.id, v.name, count(*) n, sum(b.outstanding) owed from bill b join village v on v.id = b.village_id
       where b.direction = 'receivable' and b.outstanding > 0 and b.issued_at is not null and b.due_date < $1::date - 1
       group by v.id, v.name),
     m as (
       insert into message (type, title, content, biz_type, biz_id, village_id, facts, push_time, once_key)
       select 2, format('%s有 %s 笔账单逾期', name, n),
         format('截至 %s，%s逾期未收的账单共 %s 笔，合计 %s 元。', $1::date - 1, name, n, to_char(owed / 100.0, 'FM999,999,990.00')),
         'overdueBills', id, id,
         jsonb_build_array(jsonb_build_array('门店', name), jsonb_build_array('逾期笔数', n || ' 笔'),
           jsonb_build_array('逾期金额', to_char(owed / 100.0, 'FM999,999,990.00') || ' 元')),
         ${at}, 'overdueBills.' || id || '.' || ($1::date - 1)
       from late returning id, type, push_time, village_id)
     insert into message_receipt (message_id, operator_id, type, push_time)
     select m.id, o.id, m.type, m.push_time from m, operator o
     where o.super_type <> '' or ((o.all_villages or m.village_id = any(o.village_ids)) and exists (
       select 1 from operator_assignment g join role_function f on f.role_id = g.role_id
       where g.operator_id = o.id and f.key = '26.query'))`,
    [today, 1],
  );
  await pool.query(
    `with ending as (
       select c.id, c.contract_no, c.end_date, c.village_id, v.name, coalesce(c.manager_operator_id, v.manager_id) keeper,
         coalesce(c.party_snapshot ->> 'name', '客户') party
       from contract c join village v on v.id = c.village_id
       where c.state = 'effective' and c.next_id is null and c.end_date between $1::date - 1 and $1::date + 30
       order by c.end_date, c.id limit 40),
     m as (
       insert into message (type, title, content, biz_type, biz_id, village_id, facts, push_time, once_key)
       select 3, format('合同 %s 还有 %s 天到期', contract_no, end_date - $1::date + 1),
         format('%s的合同 %s 将于 %s 到期，请联系客户确认续租或退房。', party, contract_no, end_date),
         'contract', id, village_id,
         jsonb_build_array(jsonb_build_array('门店', name), jsonb_build_array('客户', party),
           jsonb_build_array('到期日', end_date::text)),
         ${at} - interval '20 minutes', 'contract.ending.' || id || '.' || end_date || '.30'
       from ending returning id, type, push_time, biz_id)
     insert into message_receipt (message_id, operator_id, type, push_time)
     select m.id, e.keeper, m.type, m.push_time from m join ending e on e.id = m.biz_id`,
    [today, 1],
  );
}
