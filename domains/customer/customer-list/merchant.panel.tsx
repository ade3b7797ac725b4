import { Link } from "react-router";
import type { Reply } from "../../../platform/kernel/call.ts";
import { addDays } from "../../../platform/kernel/day.ts";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import { Filled } from "../../../platform/console/detail/foreign-panel.tsx";
import { NONE } from "../../../platform/console/parts/kinds.tsx";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { useToday } from "../../../platform/console/session/operator.ts";
import { PAPER_STATES, paperState, REMIND_DAYS } from "../../party/paper/paper.rules.ts";
import {
  CustomerNotices,
  FirmContracts,
  FirmRooms,
  FirmSecret,
  firmStrip,
  firmTabs,
} from "./parts.panel.tsx";
import { FIRM_STAGES, SUBJECTS } from "../firm/words.rules.ts";
import { PartyBills, PartyFlows } from "../record/money.panel.tsx";
import { Tags } from "../renter/tags.panel.tsx";
import { CERT_TYPES } from "../renter/words.rules.ts";
import type { MerchantActs } from "./merchant-acts.panel.tsx";
import { getMerchant, merchantCalls } from "../merchant/merchant.contract.ts";
import "../record/record.css";

type Merchant = Reply<typeof getMerchant>;
/** A shop tenant: where, what it owes, whom to call, which papers end. */
export const MerchantDrawer = ({ id, acts }: { id: number; acts: MerchantActs }) => (
  <Detail
    call={getMerchant}
    sent={{ params: { id } }}
    width={960}
    title={(m) => m.name}
    tags={(m) => (
      <>
        <WordTag words={FIRM_STAGES} code={m.stage} />
        <WordTag words={SUBJECTS} code={m.subject} dot={false} />
      </>
    )}
    strip={(m) => firmStrip(merchantCalls, m, "月租金")}
    facts={[
      "brand",
      "category",
      { title: "证照号码", show: (m) => <Numbers merchant={m} /> },
      { title: "主联系人", show: (m) => m.contactName || NONE },
      {
        key: "phone",
        show: (m) => (
          <FirmSecret calls={merchantCalls} id={m.id} field="phone" title="电话" masked={m.phone} />
        ),
      },
      { key: "roomNames", show: (m) => <Shops merchant={m} /> },
      { key: "endDate", show: (m) => m.endDate ?? NONE },
      { key: "papersDue", show: (m) => m.papersDue ?? NONE },
      { key: "legalName", show: (m) => m.legalName || NONE },
      { title: "标签", show: (m) => <Tags tags={m.tags} /> },
      { title: "门店", show: (m) => m.villages.map((v) => v.name).join("、") || NONE },
      "createdAt",
      { key: "address", wide: true },
      { key: "remark", wide: true },
    ]}
    actions={(m) => acts.of(m).map((a, i) => a && { ...a, main: i === 0 })}
    tabs={[
      {
        key: "contracts",
        title: "合同与铺位",
        view: (m) => (
          <>
            <FirmContracts calls={merchantCalls} id={m.id} />
            <h3>在租铺位</h3>
            <FirmRooms calls={merchantCalls} id={m.id} />
          </>
        ),
      },
      { key: "turnover", title: "营业额", view: (m) => <Filled slot="merchant.turnover" id={m.id} /> },
      { key: "bills", title: "账单", need: "26.query", view: (m) => <PartyBills of={m} /> },
      { key: "flows", title: "流水", need: "102.query", view: (m) => <PartyFlows of={m} /> },
      ...firmTabs(merchantCalls, "106.edit"),
    ]}
    slot="merchant.tabs"
  >
    {(m) => (
      <>
        <Due day={m.papersDue} />
        <CustomerNotices of={m} />
      </>
    )}
  </Detail>
);

/** What is to be done about papers that end soon or have ended. */
function Due({ day }: { day: string | null }) {
  const today = useToday();
  const state = paperState(day, today, addDays(today, REMIND_DAYS));
  return state === "valid" ? null : (
    <p className={`notice s-${PAPER_STATES[state][1]}`} role="status">
      待办：证照{PAPER_STATES[state][0]}（{day}），请联系商户换发，并在附件中上传新的证照
    </p>
  );
}

/** A credit code is public, a certificate is not. */
const Numbers = ({ merchant: m }: { merchant: Merchant }) =>
  m.creditCode ? (
    <>{m.creditCode}</>
  ) : (
    <span className="row">
      {m.certType && <span className="dim">{CERT_TYPES[m.certType][0]}</span>}
      <FirmSecret calls={merchantCalls} id={m.id} field="certNo" title="证件号" masked={m.certNo} />
    </span>
  );

const Shops = ({ merchant: { roomId, roomNames, area } }: { merchant: Merchant }) => {
  const to = roomId ? reach("/configuration/apartment", { room: roomId }) : undefined;
  if (!roomNames) return NONE;
  return (
    <>
      {to ? <Link to={to}>{roomNames}</Link> : roomNames} <span className="dim">{area} ㎡</span>
    </>
  );
};
