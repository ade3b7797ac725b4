import { Refusal } from "../../../platform/kernel/refusal.ts";
import { serveList } from "../../../platform/server/lists/list.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { serveImport } from "../../system/import/serve.service.ts";
import { countReveal } from "../record/reveal.service.ts";
import {
  addAgent,
  agentImport,
  agentOptions,
  deleteAgent,
  disableAgent,
  editAgent,
  enableAgent,
  exportAgents,
  getAgent,
  rankAgents,
  revealAgent,
} from "./agent.contract.ts";
import { agentChoices, agentDetail, agentRank, agents, seenAgent } from "./agent.queries.ts";
import { createAgent, noteRecord, removeAgent, turnAgent, updateAgent } from "./agent.service.ts";
import { AGENTS } from "./import.service.ts";

const TITLES = { phone: "电话", certNo: "身份证号", bankNo: "银行账号" };

export default [
  ...serveImport(agentImport, AGENTS),
  serveList(agents),
  serveRead(rankAgents, (read, { query }) => agentRank(read, query)),
  exportList(exportAgents),
  serveRead(agentOptions, (read, { query }) => agentChoices(read, query)),
  serveRead(getAgent, (read, { params }) => agentDetail(read, params.id)),
  serve(addAgent, (act, { body }) => createAgent(act, body)),
  serve(editAgent, async (act, { params, body }) => {
    await updateAgent(act, params.id, body);
    return null;
  }),
  serve(enableAgent, async (act, { params, body }) => {
    await turnAgent(act, params.id, body.version, "enabled");
    return null;
  }),
  serve(disableAgent, async (act, { params, body }) => {
    await turnAgent(act, params.id, body.version, "disabled");
    return null;
  }),
  serve(deleteAgent, async (act, { params, query }) => {
    await removeAgent(act, params.id, query.version);
    return null;
  }),
  serve(revealAgent, async (act, { params, body: { field, reason } }) => {
    const agent = await seenAgent(act, params.id);
    const kept = { certNo: agent.certNoCipher, bankNo: agent.bankNoCipher };
    const value = field === "phone" ? agent.phone : kept[field] && act.cipher.open(kept[field]);
    if (!value) throw new Refusal("empty", `该经纪人没有登记${TITLES[field]}`);
    await countReveal(act);
    await noteRecord(act, "agent", agent, {
      action: "查看",
      summary: `查看完整${TITLES[field]}：${reason}`,
    });
    return { value };
  }),
];
