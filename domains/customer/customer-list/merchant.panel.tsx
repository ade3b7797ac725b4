import { Link } from "react-router";
import type { Reply } from "../../../platform/kernel/call.ts";
import { addDays, dayInZone } from "../../../platform/kernel/day.ts";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import { Filled } from "../../../platform/console/detail/foreign-panel.tsx";
import { NONE } from "../../../platform/console/parts/kinds.tsx";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { send } from "../../../platform/console/calls/request.ts";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { FLOWS } from "../../finance/bill/bill.rules.ts";
import { PAPER_STATES, paperState, REMIND_DAYS } from "../../party/paper/paper.rules.ts";
import { Drilled, FirmContracts, FirmRooms, Summed } from "./firm-rooms.panel.tsx";
import { FIRM_STAGES, SUBJECTS } from "../firm/words.rules.ts";
import { AccountsTab, TitlesTab } from "../record/accounts.panel.tsx";
import { ContactsTab } from "../record/contacts.panel.tsx";
import { RecordLog, SecretText } from "../record/secret.panel.tsx";
import { PartyBills, PartyFlows } from "../record/money.panel.tsx";
import { PapersTab } from "../record/papers.panel.tsx";
import { Black } from "../renter/known.panel.tsx";
import { Tags } from "../renter/tags.panel.tsx";
import { CERT_TYPES } from "../renter/words.rules.ts";
import type { MerchantActs } from "./merchant-acts.panel.tsx";
import { getMerchant, merchantCalls } from "../merchant/merchant.contract.ts";
import "../record/record.css";

type Merchant = Reply<typeof getMerchant>;
const SECRET = merchantCalls.reveal.needs;
const reveal = (id: number, field: "contactPhone" | "bankNumber") => (partId: number, reason: string) =>
  send(merchantCalls.reveal, { params: { id }, body: { field, partId, reason } });

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
    strip={(m) => [
      {
        title: "欠费",
        fen: m.arrears,
        key: true,
        help: "应收日已过仍未收的金额，仅含有权限的门店",
        show: <Drilled fen={m.arrears} to={reach("/report/owingReport", { partyId: m.id, mode: "bill" })} />,
      },
      { title: "预存款", fen: m.prepaid },
      { title: "押金", fen: m.deposit },
      { title: "月租金", fen: m.monthlyRent },
      {
        title: "累计实收",
        show: (
          <Summed
            calls={merchantCalls}
            id={m.id}
            show={(s) => <Drilled fen={s.received} to={reach(FLOWS, { partyId: m.id })} />}
          />
        ),
      },
    ]}
    facts={[
      "brand",
      "category",
      { title: "证照号码", show: (m) => <Numbers merchant={m} /> },
      { title: "主联系人", show: (m) => m.contactName || NONE },
      {
        key: "phone",
        show: (m) => (
          <SecretText
            title="电话"
            masked={m.phone}
            need={SECRET}
            reveal={(reason) =>
              send(merchantCalls.reveal, { params: { id: m.id }, body: { field: "phone", reason } })
            }
          />
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
      { key: "titles", title: "发票抬头", view: (m) => <TitlesTab party={m} need="106.edit" /> },
      {
        key: "contacts",
        title: "联系人",
        view: (m) => (
          <ContactsTab partyId={m.id} need="106.edit" secret={SECRET} reveal={reveal(m.id, "contactPhone")} />
        ),
      },
      {
        key: "accounts",
        title: "银行账户",
        view: (m) => (
          <AccountsTab party={m} need="106.edit" secret={SECRET} reveal={reveal(m.id, "bankNumber")} />
        ),
      },
      { key: "papers", title: "附件", view: (m) => <PapersTab partyId={m.id} need="106.edit" /> },
      { key: "log", title: "日志", view: (m) => <RecordLog kind="merchant" id={m.id} /> },
    ]}
    slot="merchant.tabs"
  >
    {(m) => (
      <>
        <Due day={m.papersDue} />
        {m.black !== "none" && <Black level={m.black} reason={m.blackReason} />}
        {m.mergedFrom.length > 0 && (
          <p className="notice s-purple">已并入本记录：{m.mergedFrom.map((g) => g.name).join("、")}</p>
        )}
      </>
    )}
  </Detail>
);

/** What is to be done about papers that end soon or have ended. */
function Due({ day }: { day: string | null }) {
  const today = dayInZone(new Date());
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
      <SecretText
        title="证件号"
        masked={m.certNo}
        need={SECRET}
        reveal={(reason) =>
          send(merchantCalls.reveal, { params: { id: m.id }, body: { field: "certNo", reason } })
        }
      />
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
