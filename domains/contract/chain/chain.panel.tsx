import { Link } from "react-router";
import type { ReactNode } from "react";
import { Timeline } from "../../../platform/console/detail/timeline.tsx";
import { Loaded } from "../../../platform/console/parts/loaded.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { ACT_STATES } from "../act/act.rules.ts";
import { SOURCES } from "../contract/contract.contract.ts";
import { PHASES } from "../contract/contract.rules.ts";
import { KINDS } from "../terms/kind.rules.ts";
import { type Tenancy, tenancyLine } from "./chain.contract.ts";
import { ACT_WORDS, actPlace } from "./chain.rules.ts";

type LineProps = { roomId: number } | { partyId: number } | { contractId: number };

const To = ({ to, children }: { to: string | undefined; children: ReactNode }) =>
  to ? <Link to={to}>{children}</Link> : <>{children}</>;

type Acted = Pick<Tenancy["contract"], "id" | "kind">;

/** Where an act is looked at, by whoever may open that page; everybody else finds it with its contract. */
export const actPath = (act: Parameters<typeof actPlace>[0], contract: Acted): string | undefined =>
  reach(...actPlace(act, contract)) ?? reach(KINDS[contract.kind].path, { id: contract.id });

const resultOf = (net: number | null): string =>
  net === null ? "" : net > 0 ? `应退 ${yuan(net)}` : net < 0 ? `应收 ${yuan(-net)}` : "两清";

const who = ({ partyName, roomNames }: Tenancy["contract"]) =>
  [partyName, roomNames].filter(Boolean).join(" · ");

function momentOf(row: Tenancy) {
  const { key, on, contract: c, act } = row;
  const page = KINDS[c.kind].path;
  if (!act)
    return {
      key,
      at: on,
      who: who(c),
      tone: PHASES[c.phase][1],
      what: (
        <span className="row gap-3 wrap">
          {c.source === "new" ? "起租" : SOURCES[c.source][0]}
          <To to={reach(page, { id: c.id })}>{c.contractNo}</To>
          <WordTag words={PHASES} code={c.phase} />
        </span>
      ),
      note: [
        `${c.startDate} ~ ${c.leaveDate ?? c.endDate}`,
        c.currentRent !== null && `月租金 ${yuan(c.currentRent)}`,
      ]
        .filter(Boolean)
        .join("，"),
    };
  return {
    key,
    at: on,
    who: who(c),
    tone: ACT_STATES[act.state][1],
    what: (
      <span className="row gap-3 wrap">
        {ACT_WORDS[act.kind][0]}
        <To to={actPath(act, c)}>{act.actNo}</To>
        <WordTag words={ACT_STATES} code={act.state} />
      </span>
    ),
    note: (
      <>
        {[c.contractNo, resultOf(act.net), act.reason].filter(Boolean).join("，")}
        {act.resultId !== null && (
          <>
            ，新合同 <To to={reach(page, { id: act.resultId })}>{act.resultNo}</To>
          </>
        )}
      </>
    ),
  };
}

/** Every contract, act and settlement of a room, a party or a tenancy on one line of time, the newest first. */
export const TenancyLine = (query: LineProps) => (
  <Loaded call={tenancyLine} sent={{ query }} lines={3} empty="还没有租约">
    {(rows) => <Timeline moments={rows.map(momentOf)} />}
  </Loaded>
);
