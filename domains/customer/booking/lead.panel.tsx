import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import { NONE } from "../../../platform/console/parts/kinds.tsx";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { Timeline } from "../../../platform/console/detail/timeline.tsx";
import { openFile } from "../../../platform/console/files/upload.tsx";
import { getFile } from "../../system/file/file.contract.ts";
import { CHOICE_PAGE, type ChoiceKind } from "../choice/choice.rules.ts";
import { RecordLog } from "../record/secret.panel.tsx";
import { Tags } from "../renter/tags.panel.tsx";
import { leadEvents } from "../lead/acts.contract.ts";
import { Composer } from "../lead/acts.form.tsx";
import type { LeadActs } from "./lead-acts.panel.tsx";
import { getLead } from "../lead/lead.contract.ts";
import { Matches, ReservationsOf, ViewingsOf } from "./steps.panel.tsx";
import { EVENT_KINDS, LEAD_STATES, LEVELS } from "../lead/lead.rules.ts";

const pathOfFile = (id: number) => getFile.path.replace(":id", String(id));
const budget = (fen: number | null) => (fen === null ? "不限" : yuan(fen));

/** One enquiry: who, what they look for, what was said, and which rooms suit. */
export const LeadDrawer = ({ id, acts }: { id: number; acts: LeadActs }) => (
  <Detail
    call={getLead}
    sent={{ params: { id } }}
    title={(l) => `${l.name} ${l.number}`}
    tags={(l) => (
      <>
        <WordTag words={LEAD_STATES} code={l.state} />
        <WordTag words={LEVELS} code={l.level} dot={false} />
      </>
    )}
    facts={[
      "phone",
      "gender",
      { key: "ownerName", show: (l) => l.ownerName || "公海" },
      {
        title: "来源",
        show: (l) => [l.sourceName, l.channelName, l.agentName].filter(Boolean).join(" / "),
      },
      "villageNames",
      {
        title: "预算",
        show: (l) =>
          l.budgetFrom === null && l.budgetTo === null
            ? NONE
            : `${budget(l.budgetFrom)} ~ ${budget(l.budgetTo)} 元/月`,
      },
      "kind",
      "layout",
      "moveInDay",
      { title: "租期", show: (l) => (l.termMonths === null ? NONE : `${l.termMonths} 个月`) },
      { title: "入住人数", show: (l) => (l.people === null ? NONE : `${l.people} 人`) },
      "lastFollowAt",
      "nextFollowDay",
      { title: "距转入公海", show: (l) => <Days left={l.daysToPool} /> },
      { title: "客户", show: (l) => <Customer kind={l.partyKind} id={l.partyId} name={l.partyName} /> },
      { title: "登记", show: (l) => l.creatorName },
      "createdAt",
      { title: "流失原因", show: (l) => [l.lostReason, l.lostNote].filter(Boolean).join("，") || NONE },
      { title: "标签", show: (l) => <Tags tags={l.tags} /> },
      { key: "remark", wide: true },
    ]}
    actions={(l) =>
      acts.of(l).map(
        (a, i) =>
          a && {
            ...a,
            main: i < 3 && a.label !== "编辑" && !a.danger && ["领取", "跟进", "重新激活"].includes(a.label),
          },
      )
    }
    tabs={[
      {
        key: "events",
        title: "跟进记录",
        view: (l) => (
          <>
            <Composer lead={l} />
            <Events id={l.id} />
          </>
        ),
      },
      { key: "matches", title: "匹配房源", count: (l) => l.matches, view: (l) => <Matches lead={l} /> },
      { key: "viewings", title: "看房", view: (l) => <ViewingsOf leadId={l.id} /> },
      { key: "reservations", title: "预订", view: (l) => <ReservationsOf leadId={l.id} /> },
      { key: "log", title: "日志", view: (l) => <RecordLog kind="lead" id={l.id} /> },
    ]}
    slot="lead.tabs"
  />
);

export const Days = ({ left }: { left: number | null }) =>
  left === null ? NONE : left <= 0 ? <span className="bad">今晚转入</span> : <>{left} 天</>;

/** When somebody last spoke with them, and what was said. */
export const LastSaid = ({ of }: { of: { lastFollowAt: string | null; lastWords: string } }) =>
  of.lastFollowAt === null ? (
    NONE
  ) : (
    <span className="row" title={of.lastWords}>
      <span data-whole>{timeInZone(of.lastFollowAt).slice(5, 16)}</span>
      <small className="dim cut grow">{of.lastWords}</small>
    </span>
  );

type Known = { kind: ChoiceKind | null; id: number | null; name: string | null };
const Customer = ({ kind, id, name }: Known) => {
  const to = kind && id ? reach(CHOICE_PAGE[kind], { id }) : undefined;
  return name ? to ? <Link to={to}>{name}</Link> : <>{name}</> : NONE;
};

function Events({ id }: { id: number }) {
  const { data, error, refetch } = useQuery(ask(leadEvents, { params: { id } }));
  if (error) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={3} />;
  return (
    <Timeline
      moments={data.map((e) => ({
        key: e.id,
        at: e.at,
        who: e.operatorName,
        what: EVENT_KINDS[e.kind][0],
        note: (
          <>
            {e.content}
            {e.nextFollowDay && <span className="dim">　下次跟进 {e.nextFollowDay}</span>}
            {e.files.map((file) => (
              <button
                key={file.id}
                type="button"
                className="linkish"
                onClick={() => void openFile(pathOfFile(file.id))}
              >
                　{file.name}
              </button>
            ))}
          </>
        ),
      }))}
    />
  );
}
