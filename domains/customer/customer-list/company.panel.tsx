import { Detail } from "../../../platform/console/detail/detail.tsx";
import { Filled } from "../../../platform/console/detail/foreign-panel.tsx";
import { NONE } from "../../../platform/console/parts/kinds.tsx";
import { StatusTag, WordTag } from "../../../platform/console/parts/tag.tsx";
import { Waits } from "../../../platform/console/parts/waits.tsx";
import { WORKBENCH } from "../../approval/examine/engine.rules.ts";
import { decideExamine } from "../../approval/examine/examine.contract.ts";
import { CustomerNotices, Drilled, FirmContracts, FirmSecret, firmStrip, firmTabs } from "./parts.panel.tsx";
import { FIRM_STAGES } from "../firm/words.rules.ts";
import { PartyBills, PartyFlows } from "../record/money.panel.tsx";
import { Tags } from "../renter/tags.panel.tsx";
import { StatementTab } from "../statement/statement.panel.tsx";
import type { CompanyActs } from "./company-acts.panel.tsx";
import { companyCalls, getCompany } from "../company/company.contract.ts";
import { limitText } from "../company/credit.rules.ts";
import "../record/record.css";

/** A company customer: its rooms and people, what it owes, what it may owe, one statement. */
export const CompanyDrawer = ({ id, acts }: { id: number; acts: CompanyActs }) => (
  <Detail
    call={getCompany}
    sent={{ params: { id } }}
    width={960}
    title={(c) => c.name}
    tags={(c) => (
      <>
        <WordTag words={FIRM_STAGES} code={c.stage} />
        {c.approving && <StatusTag tone="gold">审批中</StatusTag>}
      </>
    )}
    strip={(c) => firmStrip(companyCalls, c, "月租合计")}
    facts={[
      "creditCode",
      { title: "主联系人", show: (c) => c.contactName || NONE },
      {
        key: "phone",
        show: (c) => (
          <FirmSecret calls={companyCalls} id={c.id} field="phone" title="电话" masked={c.phone} />
        ),
      },
      "ownerName",
      {
        title: "房间 / 入住",
        show: (c) => `${c.rooms} 间，入住 ${c.occupants} 人，可住 ${c.capacity} 人`,
      },
      { title: "账期", show: (c) => `${c.creditDays} 天` },
      {
        title: "授信额度 / 已用",
        show: (c) => (
          <>
            {limitText(c.creditLimit)} / <Drilled fen={c.creditUsed} to={undefined} />
          </>
        ),
      },
      { key: "endDate", show: (c) => c.endDate ?? NONE },
      { title: "行业 / 规模", show: (c) => [c.industry, c.scale].filter(Boolean).join(" / ") || NONE },
      { title: "标签", show: (c) => <Tags tags={c.tags} /> },
      { title: "门店", show: (c) => c.villages.map((v) => v.name).join("、") || NONE },
      "createdAt",
      { key: "address", wide: true },
      { key: "remark", wide: true },
    ]}
    actions={(c) => acts.of(c).map((a, i) => a && { ...a, main: i === 0 })}
    tabs={[
      { key: "contracts", title: "合同", view: (c) => <FirmContracts calls={companyCalls} id={c.id} /> },
      {
        key: "rooms",
        title: "房间与入住人",
        count: (c) => c.rooms,
        view: (c) => <Filled slot="company.rooms" id={c.id} />,
      },
      { key: "bills", title: "账单", need: "26.query", view: (c) => <PartyBills of={c} /> },
      { key: "statement", title: "对账单", view: (c) => <StatementTab company={c} /> },
      { key: "flows", title: "流水与预存", need: "102.query", view: (c) => <PartyFlows of={c} /> },
      ...firmTabs(companyCalls, "113.edit"),
    ]}
    slot="company.tabs"
  >
    {(c) => (
      <>
        {c.frozen && <Waits page={WORKBENCH} decide={decideExamine} frozen={c.frozen} then="可以再次修改" />}
        <CustomerNotices of={c} />
      </>
    )}
  </Detail>
);
