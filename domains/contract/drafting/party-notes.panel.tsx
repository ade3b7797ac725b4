import { Link } from "react-router";
import { Icon } from "../../../platform/console/parts/icons.tsx";
import { pathTo } from "../../../platform/console/screens/page.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { CHOICE_PAGE } from "../../customer/choice/choice.rules.ts";
import { GENDERS } from "../../customer/renter/words.rules.ts";
import { KINDS, permitOf } from "../terms/kind.rules.ts";
import { isMinor } from "../terms/check.rules.ts";
import type { Draft, FormData } from "./draft.form.tsx";

type Party = NonNullable<FormData["party"]>;

/** What should be known of the party before anything is agreed: the black list, arrears, credit, a guardian. */
export function PartyNotes({ draft: { data, form } }: { draft: Draft }) {
  const party = form.partyId ? data?.party : null;
  if (!party || party.partyId !== form.partyId) return null;
  return (
    <div className="fi--wide party">
      <div className="party__card row gap-8 fs-13">
        {form.kind === "renter" ? <Person party={party} /> : <Firm party={party} />}
        <span className="grow" />
        <Link to={pathTo(CHOICE_PAGE[form.kind], { id: party.partyId })}>{KINDS[form.kind].party}资料</Link>
      </div>
      {party.blackList.map((hit) => (
        <Bar key={hit.reason} tone="red">
          {hit.level === "forbid" ? "黑名单，禁止签约" : "黑名单提示"}：{hit.reason}
          {hit.source && `（${hit.source}）`}
          {hit.level === "forbid" && !may(permitOf(form.kind, "blackListed")) && "，需要“黑名单客户签约”权限"}
        </Bar>
      ))}
      {isMinor(party.birthday, data!.today) && (
        <Bar>
          未满18周岁，需监护人签署
          {party.guardianName
            ? `：${party.guardianName} ${party.guardianPhone}`
            : "，请先在租客资料中登记监护人"}
        </Bar>
      )}
      {party.arrears.length > 0 && (
        <Bar>
          其他合同有欠费：
          {party.arrears.map((a) => (
            <Link key={a.contractId} to={pathTo(KINDS[a.kind].path, { id: a.contractId })}>
              {a.contractNo} {yuan(a.overdue)}
            </Link>
          ))}
        </Bar>
      )}
    </div>
  );
}

const Person = ({ party }: { party: Party }) => (
  <>
    <span className="dim">{party.certificate || "未登记证件"}</span>
    <span className="dim">
      {[party.gender && GENDERS[party.gender][0], party.birthday].filter(Boolean).join(" ")}
    </span>
  </>
);

/** Whom the paper will name, and for companies how much of the credit is left. */
const Firm = ({ party }: { party: Party }) => (
  <>
    <span>签约联系人 {[party.contactName, party.phone].filter(Boolean).join(" ") || "未登记"}</span>
    {party.legalName && <span className="dim">法定代表人 {party.legalName}</span>}
    {party.credit && (
      <span className={party.credit.used > party.credit.limit ? "neg" : "dim"}>
        授信已用 {yuan(party.credit.used)} / {yuan(party.credit.limit)}
      </span>
    )}
  </>
);

const Bar = ({ tone = "orange", children }: { tone?: "red" | "orange"; children: React.ReactNode }) => (
  <p className={`party__bar s-${tone}`} role={tone === "red" ? "alert" : undefined}>
    <Icon name="warn" size={14} />
    {children}
  </p>
);
