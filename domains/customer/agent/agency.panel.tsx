import { Link } from "react-router";
import type { Actions } from "../../../platform/console/parts/actions.tsx";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import { pathTo } from "../../../platform/console/screens/page.ts";
import { send } from "../../../platform/console/calls/request.ts";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { openFile } from "../../../platform/console/files/upload.tsx";
import { getFile } from "../../system/file/file.contract.ts";
import { EarnedBy } from "../commission/earned.panel.tsx";
import { RecordLog, SecretText } from "../record/secret.panel.tsx";
import { getAgency, revealAgency, type AgencyRow } from "./agency.contract.ts";
import { ENABLED, PAGE } from "./agent.rules.ts";

const pathOfFile = (id: number) => getFile.path.replace(":id", String(id));

const Secret = (p: { id: number; field: "phone" | "bankNo"; title: string; masked: string }) => (
  <SecretText
    title={p.title}
    masked={p.masked}
    need="#11501"
    reveal={(reason) => send(revealAgency, { params: { id: p.id }, body: { field: p.field, reason } })}
  />
);

/** One agency: terms, account, papers and what it has earned. */
export const AgencyDrawer = ({ id, actions }: { id: number; actions: (agency: AgencyRow) => Actions }) => (
  <Detail
    call={getAgency}
    sent={{ params: { id } }}
    title={(a) => a.name}
    tags={(a) => <WordTag words={ENABLED} code={a.state} />}
    strip={(a) => [
      { title: "待结佣金", fen: a.owed, key: true },
      { title: "已付佣金", fen: a.paid },
    ]}
    facts={[
      "contact",
      { title: "电话", show: (a) => <Secret id={a.id} field="phone" title="电话" masked={a.phone} /> },
      "creditCode",
      "villageNames",
      { title: "合作期", show: (a) => `${a.fromDay} ~ ${a.toDay ?? "长期"}` },
      {
        title: "佣金规则",
        show: (a) => <Link to={pathTo(PAGE, { tab: "rule", id: a.ruleId })}>{a.ruleName}</Link>,
      },
      {
        title: "经纪人",
        show: (a) => <Link to={pathTo(PAGE, { tab: "agent", agencyId: a.id })}>{a.agents} 人</Link>,
      },
      "bankHolder",
      { title: "开户银行", show: (a) => [a.bankName, a.bankBranch].filter(Boolean).join(" ") || "—" },
      {
        title: "银行账号",
        show: (a) => <Secret id={a.id} field="bankNo" title="银行账号" masked={a.bankNo} />,
      },
      {
        title: "附件",
        show: (a) =>
          a.files.length
            ? a.files.map((file) => (
                <button
                  key={file.id}
                  type="button"
                  className="linkish"
                  onClick={() => void openFile(pathOfFile(file.id))}
                >
                  {file.name}　
                </button>
              ))
            : "—",
      },
    ]}
    actions={actions}
    tabs={[
      { key: "earned", title: "佣金", view: (a) => <EarnedBy agencyId={a.id} /> },
      { key: "log", title: "日志", view: (a) => <RecordLog kind="agency" id={a.id} /> },
    ]}
  />
);
