import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import * as f from "../../../platform/kernel/field.ts";
import { wrongCells } from "../../../platform/kernel/wrong-cells.ts";

const BASE = "/customer/api/v3/agent/import";
const file = z.object({ id: z.coerce.number().pipe(f.id) });

export const agentTemplate = call({
  method: "GET",
  path: `${BASE}/template`,
  summary: "经纪人导入模板",
  needs: "115.import",
});

/** A dry run: the whole file is checked and kept, nobody is registered yet. */
export const checkAgents = call({
  method: "POST",
  path: BASE,
  summary: "检查经纪人导入文件",
  needs: "115.import",
  target: "agent",
  upload: { maxBytes: 10 * 1024 * 1024, maxFiles: 1 },
  timeout: 300_000,
  perMinute: 30,
  body: z.object({ villageId: z.coerce.number({ error: "请选择门店" }).pipe(f.id) }),
  reply: z.object({ id: f.id, rows: z.number().int(), errors: wrongCells }),
});

/** The file as it came, with every wrong cell marked. */
export const agentErrorFile = call({
  method: "GET",
  path: `${BASE}/:id/errorFile`,
  summary: "下载标错文件",
  needs: "115.import",
  target: "agent",
  params: file,
});

/** Registers everybody in a checked file, or nobody. */
export const commitAgents = call({
  method: "POST",
  path: `${BASE}/:id/commit`,
  summary: "确认导入经纪人",
  needs: "115.import",
  target: "agent",
  timeout: 300_000,
  params: file,
  body: z.object({}),
  reply: z.object({ made: z.number().int() }),
});
