import { serveList } from "../../../platform/server/lists/list.ts";
import { serve, serveDone, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { serveImport } from "../../system/import/serve.service.ts";
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
import { seenAgent } from "./agency.queries.ts";
import { agentChoices, agentDetail, agentRank, agents } from "./agent.queries.ts";
import { createAgent, removeAgent, revealNumber, turn, updateAgent } from "./agent.service.ts";
import { AGENTS } from "./import.service.ts";

export default [
  ...serveImport(agentImport, AGENTS),
  serveList(agents),
  serveRead(rankAgents, (read, { query }) => agentRank(read, query)),
  exportList(exportAgents),
  serveRead(agentOptions, (read, { query }) => agentChoices(read, query)),
  serveRead(getAgent, (read, { params }) => agentDetail(read, params.id)),
  serve(addAgent, (act, { body }) => createAgent(act, body)),
  serveDone(editAgent, (act, { params, body }) => updateAgent(act, params.id, body)),
  serve(enableAgent, (act, { params, body }) => turn(act, "agent", params.id, body.version, "enabled")),
  serve(disableAgent, (act, { params, body }) => turn(act, "agent", params.id, body.version, "disabled")),
  serveDone(deleteAgent, (act, { params, query }) => removeAgent(act, params.id, query.version)),
  serve(revealAgent, async (act, { params, body }) => {
    const agent = await seenAgent(act, params.id);
    return revealNumber(act, "agent", agent, body, {
      phone: agent.phone,
      certNo: agent.certNoCipher,
      bankNo: agent.bankNoCipher,
    });
  }),
];
