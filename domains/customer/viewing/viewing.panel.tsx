import { Link } from "react-router";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import { NONE } from "../../../platform/console/parts/kinds.tsx";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { RecordLog } from "../record/log.panel.tsx";
import type { ViewingActs } from "./viewing-acts.panel.tsx";
import { getViewing } from "./viewing.contract.ts";
import { RESULTS, VIEWING_STATES } from "./viewing.rules.ts";

const BOOKING = "/configuration/BookingManagement";

/** One appointment: who comes when, to which rooms, with whom, and what came of it. */
export const ViewingDrawer = ({ id, acts }: { id: number; acts: ViewingActs }) => (
  <Detail
    call={getViewing}
    sent={{ params: { id } }}
    title={(v) => `${v.name} ${v.number}`}
    tags={(v) => (
      <>
        <WordTag words={VIEWING_STATES} code={v.state} />
        {v.result && <WordTag words={RESULTS} code={v.result} dot={false} />}
      </>
    )}
    facts={[
      "phone",
      "villageName",
      "at",
      "minutes",
      { key: "assigneeName", show: (v) => v.assigneeName || "待指派" },
      "source",
      {
        key: "leadNumber",
        show: (v) => {
          const to = v.leadId ? reach(BOOKING, { tab: "all", id: v.leadId }) : undefined;
          return v.leadNumber ? to ? <Link to={to}>{v.leadNumber}</Link> : v.leadNumber : NONE;
        },
      },
      { key: "productName", show: (v) => v.productName ?? NONE },
      "createdAt",
      {
        title: "房间",
        wide: true,
        show: (v) =>
          v.roomList.length
            ? v.roomList.map((r) => (
                <div key={r.id}>
                  <Link to={reach("/configuration/apartment", { room: r.id }) ?? "#"}>{r.name}</Link>
                  {r.result && (
                    <>
                      {" "}
                      <WordTag words={RESULTS} code={r.result} dot={false} />
                    </>
                  )}
                  {r.feedback && <span className="dim">　{r.feedback}</span>}
                </div>
              ))
            : NONE,
      },
      { key: "feedback", wide: true, show: (v) => v.feedback || NONE },
      { key: "remark", wide: true, show: (v) => v.remark || NONE },
      { key: "cancelReason", wide: true, show: (v) => v.cancelReason || NONE },
    ]}
    actions={(v) => acts.of(v).map((a, i) => a && { ...a, main: i < 2 && !a.why && !a.danger })}
    tabs={[{ key: "log", title: "日志", view: (v) => <RecordLog kind="viewing" id={v.id} /> }]}
    slot="viewing.tabs"
  />
);
