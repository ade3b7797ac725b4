import { useState } from "react";
import { download } from "../../../platform/console/calls/request.ts";
import { pageWithin } from "../../../platform/console/list/page-numbers.ts";
import { Pager } from "../../../platform/console/list/pager.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Dialog } from "../../../platform/console/parts/dialog.tsx";
import { Loaded } from "../../../platform/console/parts/loaded.tsx";
import type { Reply } from "../../../platform/kernel/call.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { type Chosen, leftOut, letter, previewLetters, printLetters } from "./letter.contract.ts";

type Props = { of: Chosen; onClose: () => void };
/** Of letters, and of bills that are left out. */
const ROWS = 20;

/** 打印催缴函: which letters there will be, and what none is about. */
export const LetterForm = ({ of, onClose }: Props) => (
  <Dialog title="打印催缴函" width={760} onClose={onClose}>
    <Loaded call={previewLetters} sent={{ body: of }} lines={6}>
      {(previewed) => <Letters of={of} previewed={previewed} />}
    </Loaded>
  </Dialog>
);

function Letters({ of, previewed }: { of: Chosen; previewed: Reply<typeof previewLetters> }) {
  const { letters, leftOut: left } = previewed;
  const lettered = usePages(letters);
  const leaving = usePages(left);
  return (
    <div className="stack gap-8">
      <p className="asked" role="status">
        {`将打印 ${letters.length} 份催缴函，逾期未收合计 ${yuan(letters.reduce((sum, l) => sum + l.amount, 0))} 元。每份合同一份，列出该合同全部逾期账单（有争议的除外）和到今天为止的滞纳金。`}
      </p>
      <RowTable
        schema={letter}
        rows={lettered.shown}
        emptyText="没有需要催缴的合同"
        columns={[
          "partyName",
          "villageName",
          "rooms",
          "contractNo",
          "bills",
          { key: "amount", strong: true },
          "since",
        ]}
      />
      {lettered.pages}
      {left.length > 0 && (
        <>
          <p>{`${left.length} 笔账单没有列入`}</p>
          <RowTable schema={leftOut} rows={leaving.shown} columns={["billNo", "why"]} emptyText="没有" />
          {leaving.pages}
        </>
      )}
      <div className="row gap-4 wrap">
        <Button
          look="main"
          icon="file"
          why={letters.length ? undefined : "没有可以出具的催缴函"}
          run={() => download(printLetters, { body: of })}
        >
          打印 {letters.length} 份催缴函
        </Button>
      </div>
    </div>
  );
}

/** The rows of the page that is open, and the way to the others where there are more. */
function usePages<R>(rows: readonly R[]) {
  const [page, setPage] = useState({ pageNo: 1, pageSize: ROWS });
  const pageNo = pageWithin(rows.length, page);
  const from = (pageNo - 1) * page.pageSize;
  return {
    shown: rows.slice(from, from + page.pageSize),
    pages: rows.length > ROWS && (
      <Pager
        {...page}
        pageNo={pageNo}
        total={rows.length}
        set={(to, pageSize) => setPage({ pageNo: to, pageSize })}
      />
    ),
  };
}
