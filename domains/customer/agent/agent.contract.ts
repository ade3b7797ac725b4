import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import { idCard } from "../../../platform/kernel/texts/certificate.ts";
import { contactMobile, personName } from "../../../platform/kernel/texts/contact.ts";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { idList, pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { oneRecord, recordCalls, callsAt } from "../../../platform/kernel/records.ts";
import { wrongCells } from "../../../platform/kernel/fields/wrong-cells.ts";
import { importCalls } from "../../system/import/import.contract.ts";
import { SIGNING } from "../choice/choice.contract.ts";
import { AGENCIES, bankFields, bankShown, bankTogether, villagesInput } from "./agency.contract.ts";
import { ENABLED } from "./agent.rules.ts";

const BASE = "/customer/api/v3/agent";
const at = callsAt(BASE, "agent");

export const agentId = oneRecord;

const fields = z.object({
  name: f.checked("姓名", personName, { kind: "person", max: 30 }),
  phone: f.checked("电话", contactMobile, { kind: "phone" }),
  agencyId: f.pick("所属机构").nullish(),
  certNo: f.checked("身份证号", idCard, { secrecy: "certificate" }).nullish(),
  villageIds: villagesInput,
  ruleId: f.pick("佣金规则").nullish(),
  ...bankFields,
});
type Together = Parameters<typeof bankTogether>[0] & {
  agencyId?: number | null | undefined;
  ruleId?: number | null | undefined;
};
const together = (agent: Together, ctx: z.RefinementCtx) => {
  bankTogether(agent, ctx);
  if (!agent.agencyId && !agent.ruleId)
    ctx.addIssue({ code: "custom", path: ["ruleId"], message: "独立经纪人请选择佣金规则" });
};
export const agentInput = fields.superRefine(together);
export type AgentInput = z.output<typeof agentInput>;
const edit = fields
  .extend({ phone: fields.shape.phone.optional(), version: f.version })
  .superRefine(together);
export type AgentEdit = z.output<typeof edit>;

const row = z.object({
  id: f.id,
  name: f.link("姓名"),
  phone: f.phone("电话"),
  agencyId: f.id.nullable(),
  agencyName: f.link("机构"),
  villageNames: f.text("门店"),
  ruleId: f.id,
  ruleName: f.link("规则"),
  leads: f.number("客源", { unit: "位", help: "所选时间登记、由该经纪人介绍的客源" }),
  viewings: f.number("带看", { unit: "位", help: "其中看过房的" }),
  deals: f.number("成交", { unit: "单", help: "其中已签约的" }),
  rate: f.percent("转化率", { help: "成交 ÷ 客源" }).nullable(),
  owed: f.money("待结佣金", { help: "待结算的佣金，已减去待扣回的" }),
  paid: f.money("已付佣金"),
  state: f.status("状态", ENABLED),
  version: f.version,
});

const registered = { kind: "days", title: "客源登记时间", from: "from", to: "to" } as const;
export const agentFilter = z.object({
  villageIds: filter.villages(),
  agencyId: filter.record("机构", AGENCIES),
  state: filter.choice("状态", ENABLED),
  ruleId: z.coerce.number().pipe(f.id).optional(),
  /** The period in which leads were registered. */
  from: filter.by(f.dayInput("登记起").optional(), registered),
  to: filter.by(f.dayInput("登记止").optional(), registered),
  keyword: filter.by(z.string().trim().max(50, "关键字最多50个字").optional(), {
    kind: "keyword",
    title: "姓名、手机号",
  }),
});
export type AgentFilter = z.output<typeof agentFilter>;
export type AgentRow = z.output<typeof row>;

export const listAgents = at.get("", "经纪人列表", "115.query", {
  query: pageQuery("deals", "leads", "viewings", "owed", "paid", "createdAt").extend(agentFilter.shape),
  reply: pageReply(
    row,
    z.object({
      leads: f.number("客源"),
      deals: f.number("成交"),
      owed: f.money("待结佣金"),
      paid: f.money("已付佣金"),
    }),
  ),
});

/** The ten agents who brought most, of the same filter. */
export const rankAgents = at.get("/rank", "经纪人排名", "115.query", {
  query: agentFilter,
  reply: z.array(z.object({ id: f.id, name: z.string(), leads: z.number().int(), deals: z.number().int() })),
});

export const exportAgents = exportOf({
  type: "agent",
  title: "经纪人",
  needs: "115.export",
  list: listAgents,
  personal: true,
});

export const getAgent = at.get("/:id", "经纪人详情", "115.get", {
  target: "agent",
  reply: row.extend({
    certNo: f.certificateNo("身份证号"),
    villageIds: z.array(f.id),
    /** Empty: the agency's. */
    ownRuleId: f.id.nullable(),
    ...bankShown,
    createdAt: f.instant("登记时间"),
    creatorName: f.person("登记人"),
  }),
});

/** Whom a lead, a reservation or a contract can name; those that work no more only by id. */
export const agentOptions = at.get(
  "/options",
  "经纪人选项",
  ["15.query", "15.add", "115.query", ...SIGNING],
  {
    query: z.object({
      keyword: z.string().trim().max(50).optional(),
      /** Those that serve one store. */
      villageId: z.coerce.number().pipe(f.id).optional(),
      ids: idList,
      pageSize: z.coerce.number().int().min(1).max(200).default(20),
    }),
    reply: z.array(z.object({ id: f.id, name: z.string(), phone: f.phone("电话"), agencyName: z.string() })),
  },
);

export const AGENTS: filter.Source = {
  call: agentOptions,
  option: (a: { id: number; name: string; phone: string; agencyName: string }) => ({
    value: a.id,
    label: a.name,
    note: `${a.agencyName} ${a.phone}`,
  }),
};

const family = recordCalls({ path: BASE, code: 115, title: "经纪人", target: "agent" });

export const addAgent = family.add(agentInput);

export const editAgent = at.put("/:id", "编辑经纪人", "115.edit", { body: edit, reply: z.null() });

export const enableAgent = family.enable({ reply: z.null() });
export const disableAgent = family.disable({ reply: z.null() });
export const deleteAgent = family.delete();

export const AGENT_SECRETS = ["phone", "certNo", "bankNo"] as const;
export const revealAgent = at.post("/:id/reveal", "查看经纪人完整信息", "#11501", {
  body: z.object({ field: z.enum(AGENT_SECRETS), reason: f.reason("查看原因") }),
  reply: z.object({ value: f.wholeNumber("完整号码") }),
});

const shared = importCalls({
  base: "/customer/api/v3/agent/import",
  title: "经纪人",
  needs: "115.import",
  target: "agentImport",
  village: "请选择门店",
});

/** Whoever checks a file is told at once what is in it, and need not know its version to take it. */
export const agentImport = {
  ...shared,
  check: call({
    ...shared.check,
    reply: z.object({ id: f.id, rows: z.number().int(), errors: wrongCells }),
  }),
  commit: call({
    ...shared.commit,
    body: z.object({ version: f.version.optional() }),
    reply: z.object({ made: z.number().int() }),
  }),
};
export const {
  template: agentTemplate,
  check: checkAgents,
  errorFile: agentErrorFile,
  commit: commitAgents,
} = agentImport;
