import { Link } from "react-router";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import { pathTo } from "../../../platform/console/screens/page.ts";
import { send } from "../../../platform/console/calls/request.ts";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import type { Actions } from "../../../platform/console/parts/actions.tsx";
import { EarnedBy } from "../commission/earned.panel.tsx";
import { RecordLog, SecretText } from "../record/secret.panel.tsx";
import { getAgent, revealAgent, type AGENT_SECRETS, type AgentRow } from "./agent.contract.ts";
import { ENABLED, PAGE } from "./agent.rules.ts";

type Props = { id: number; actions: (agent: AgentRow) => Actions };

const Secret = ({
  id,
  field,
  title,
  masked,
}: {
  id: number;
  field: (typeof AGENT_SECRETS)[number];
  title: string;
  masked: string;
}) => (
  <SecretText
    title={title}
    masked={masked}
    need="#11501"
    reveal={(reason) => send(revealAgent, { params: { id }, body: { field, reason } })}
  />
);

/** One agent: who he is, by which rule he is paid, and what he has earned. */
export const AgentDrawer = ({ id, actions }: Props) => (
  <Detail
    call={getAgent}
    sent={{ params: { id } }}
    title={(a) => a.name}
    tags={(a) => <WordTag words={ENABLED} code={a.state} />}
    strip={(a) => [
      { title: "待结佣金", fen: a.owed },
      { title: "已付佣金", fen: a.paid },
    ]}
    facts={[
      { title: "电话", show: (a) => <Secret id={a.id} field="phone" title="电话" masked={a.phone} /> },
      {
        title: "机构",
        show: (a) =>
          a.agencyId ? (
            <Link to={pathTo(PAGE, { tab: "agency", id: a.agencyId })}>{a.agencyName}</Link>
          ) : (
            "独立经纪人"
          ),
      },
      {
        title: "佣金规则",
        show: (a) => (
          <>
            <Link to={pathTo(PAGE, { tab: "rule", id: a.ruleId })}>{a.ruleName}</Link>
            {a.ownRuleId === null && <span className="dim">　随机构</span>}
          </>
        ),
      },
      {
        title: "身份证号",
        show: (a) => <Secret id={a.id} field="certNo" title="身份证号" masked={a.certNo} />,
      },
      "leads",
      "viewings",
      "deals",
      "rate",
      "bankHolder",
      { title: "开户银行", show: (a) => [a.bankName, a.bankBranch].filter(Boolean).join(" ") || "—" },
      {
        title: "银行账号",
        show: (a) => <Secret id={a.id} field="bankNo" title="银行账号" masked={a.bankNo} />,
      },
      "creatorName",
      "createdAt",
      { key: "villageNames", wide: true },
    ]}
    actions={actions}
    tabs={[
      { key: "earned", title: "佣金", view: (a) => <EarnedBy agentId={a.id} /> },
      { key: "log", title: "日志", view: (a) => <RecordLog kind="agent" id={a.id} /> },
    ]}
  />
);
