import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { useFollowed } from "../../../platform/console/calls/followed.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Drawer } from "../../../platform/console/parts/drawer.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { StatusTag, WordTag } from "../../../platform/console/parts/tag.tsx";
import { pathTo } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { accrueMonth, declareMonth } from "../accrual/accrual.contract.ts";
import { goingOn, lastCheck, runCheck } from "../check/check.contract.ts";
import { useBatchActs } from "./acts.panel.tsx";
import { checkPosting, generatePosting, type PostingCheck } from "./posting.contract.ts";
import { BATCH_STATE, COST_PAGE, INCOME_PAGE, type PostedSide } from "./posting.rules.ts";
import { ActionButtons } from "../../../platform/console/parts/actions.tsx";

type Props = { side: PostedSide; month: string; villageId: number | null; onClose: () => void };
type Check = PostingCheck["checks"][number];

const LEVEL = { ok: ["通过", "green"], amber: ["提醒", "orange"], red: ["未通过", "red"] } as const;

/** 月结: what a month waits for, one line each with the way to it, and the steps that close it. */
export function MonthDrawer({ side, month, villageId, onClose }: Props) {
  const act = useAct();
  const acts = useBatchActs();
  const last = useFollowed({ ...ask(lastCheck), enabled: may(lastCheck.needs) }, goingOn);
  const underway = last.data?.underway;
  const query = { side, month, ...(villageId !== null && { villageId }) };
  const { data, error, refetch } = useQuery(ask(checkPosting, { query }));
  const body = { villageIds: villageId === null ? [] : [villageId], month };
  const reds = data?.checks.filter(({ level }) => level === "red").length ?? 0;
  const fixes: Record<string, ReactNode> = {
    accrual: may(accrueMonth.needs) && (
      <Button
        size="sm"
        run={async () => {
          await act(accrueMonth, { body }, { done: "已计提" });
        }}
      >
        计提
      </Button>
    ),
    tax: may(declareMonth.needs) && (
      <Button size="sm" run={() => act(declareMonth, { body }, { done: "已申报" })}>
        申报
      </Button>
    ),
    ledger: underway ? (
      <span className="dim" role="status">
        正在自检 {underway.progress}%
      </span>
    ) : (
      may(runCheck.needs) && (
        <Button size="sm" run={() => act(runCheck, {}, { done: "已开始自检" })}>
          运行自检
        </Button>
      )
    ),
  };
  const title = `${data?.villageName ?? ""} ${month} ${side === "income" ? "收入" : "成本"}月结`;
  return (
    <Drawer title={title} width={640} onClose={onClose}>
      {error && !data ? (
        <Broken error={error} retry={refetch} />
      ) : !data ? (
        <RowsSkeleton rows={8} />
      ) : (
        <div className="stack gap-6">
          <ol className="stack gap-4" aria-label="检查">
            {data.checks.map((check) => (
              <CheckRow key={check.key} check={check} fix={check.level !== "ok" && fixes[check.key]} />
            ))}
          </ol>
          <section className="stack gap-4" aria-label="凭证">
            <div className="row between wrap">
              <span>
                账簿借方 <b data-whole>{yuan(data.debit)}</b>
              </span>
              {data.batch ? (
                <span className="row">
                  <Link
                    to={pathTo(side === "income" ? INCOME_PAGE : COST_PAGE, {
                      list: "list",
                      id: data.batch.id,
                    })}
                  >
                    {data.batch.batchNo}
                  </Link>
                  <WordTag words={BATCH_STATE} code={data.batch.state} />
                </span>
              ) : (
                <span className="dim">{data.locked ? "已锁账" : "未生成"}</span>
              )}
            </div>
            <div className="row wrap">
              {data.batch ? (
                <ActionButtons actions={acts.of(data.batch)} />
              ) : (
                may(generatePosting.needs) &&
                !data.locked && (
                  <Button
                    look="main"
                    why={data.ended ? (reds ? `${reds} 项检查未通过` : undefined) : "本月尚未结束"}
                    run={() => act(generatePosting, { body: query }, { done: "已生成过账单" })}
                  >
                    生成凭证
                  </Button>
                )
              )}
            </div>
          </section>
        </div>
      )}
      {acts.layer}
    </Drawer>
  );
}

function CheckRow({ check, fix }: { check: Check; fix: ReactNode }) {
  const [word, tone] = LEVEL[check.level];
  const to = check.level !== "ok" && check.path ? reach(check.path, check.query) : undefined;
  return (
    <li className="row between wrap">
      <span className="row wrap">
        <StatusTag tone={tone}>{word}</StatusTag>
        <span>{check.title}</span>
        {check.said && <span className="sub">{check.said}</span>}
      </span>
      <span className="row">
        {to && <Link to={to}>查看</Link>}
        {fix}
      </span>
    </li>
  );
}
