import { type ReactNode, useState } from "react";
import { useRefresh } from "../../../platform/console/calls/mutation.ts";
import { download } from "../../../platform/console/calls/request.ts";
import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import { Foot } from "../../../platform/console/form/form-foot.tsx";
import { ChoiceInput } from "../../../platform/console/inputs/inputs.tsx";
import type { Batch as Many } from "../../../platform/console/list/toolbar.tsx";
import { type Actions, doing } from "../../../platform/console/parts/actions.tsx";
import { Dialog } from "../../../platform/console/parts/dialog.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { FORMAT, type Format } from "./layout.rules.ts";
import {
  bookPosting,
  discardPosting,
  exportAgain,
  exportMany,
  exportManyAgain,
  exportPosting,
  type PostingRow,
  reopenPosting,
} from "./posting.contract.ts";
import { BATCH_MOVES } from "./posting.rules.ts";

export type BatchActs = {
  of: (row: PostingRow) => Actions;
  batch: readonly Many<PostingRow>[];
  layer: ReactNode;
};

const whyNot = (move: Parameters<typeof BATCH_MOVES.refusal>[0], row: PostingRow) =>
  BATCH_MOVES.refusal(move, { status: row.state });
const whyNotAll = (move: "export" | "again", rows: readonly PostingRow[]) => {
  const bad = rows.find((row) => whyNot(move, row));
  return bad && `${bad.batchNo} ${whyNot(move, bad)}`;
};
const placed = (row: PostingRow) => `${row.villageName} ${row.month}`;

/** What can be done with a batch, and the layer that an act has opened. */
export function useBatchActs(): BatchActs {
  const [open, setOpen] = useState<{ what: "export" | "again" | "book"; rows: readonly PostingRow[] }>();
  const close = () => setOpen(undefined);
  const of = (row: PostingRow): Actions => [
    {
      label: "导出锁账",
      main: true,
      does: exportPosting,
      why: whyNot("export", row),
      run: () => setOpen({ what: "export", rows: [row] }),
    },
    {
      label: "作废",
      danger: true,
      why: whyNot("discard", row),
      ...doing(discardPosting, { params: { id: row.id }, query: { version: row.version } }, "已作废", {
        title: `作废 ${row.batchNo}`,
        body: `${placed(row)} 的凭证将作废，可重新生成。`,
      }),
    },
    {
      label: "填写总账凭证号",
      does: bookPosting,
      why: whyNot("book", row),
      run: () => setOpen({ what: "book", rows: [row] }),
    },
    {
      label: "再次导出",
      does: exportAgain,
      why: whyNot("again", row),
      run: () => setOpen({ what: "again", rows: [row] }),
    },
    {
      label: "解锁",
      danger: true,
      does: reopenPosting,
      why: whyNot("reopen", row),
      run: (act) =>
        act(
          reopenPosting,
          { params: { id: row.id }, body: { version: row.version } },
          {
            done: "已解锁，过账单已作废",
            reason: {
              title: `解锁 ${placed(row)}`,
              text: `该月重新开放，${row.batchNo} 作废，总账中已引入的凭证需另行冲销。只能解锁最后一个锁账的月份。`,
              ok: "解锁",
            },
          },
        ),
    },
  ];
  const batch: readonly Many<PostingRow>[] = [
    {
      label: "批量导出锁账",
      does: exportMany,
      why: (rows) => whyNotAll("export", rows),
      run: (rows) => setOpen({ what: "export", rows }),
    },
    {
      label: "批量再次导出",
      does: exportManyAgain,
      why: (rows) => whyNotAll("again", rows),
      run: (rows) => setOpen({ what: "again", rows }),
    },
  ];
  return {
    of,
    batch,
    layer:
      open &&
      (open.what === "book" ? (
        <BookForm row={open.rows[0]!} onClose={close} />
      ) : (
        <ExportDialog rows={open.rows} again={open.what === "again"} onClose={close} />
      )),
  };
}

/** The layout of the file; the first export says what locking means. */
function ExportDialog({
  rows,
  again,
  onClose,
}: {
  rows: readonly PostingRow[];
  again: boolean;
  onClose: () => void;
}) {
  const refresh = useRefresh();
  const [format, setFormat] = useState<Format>("xlsx");
  const [one] = rows;
  const run = async () => {
    if (rows.length > 1)
      await download(again ? exportManyAgain : exportMany, {
        body: { items: rows.map(({ id, version }) => ({ id, version })), format },
      });
    else
      await download(again ? exportAgain : exportPosting, {
        params: { id: one!.id },
        body: { version: one!.version, format },
      });
    toast(again ? "已导出" : "已导出并锁账");
    await refresh();
    onClose();
  };
  const what = rows.length > 1 ? `${rows.length} 张过账单` : placed(one!);
  return (
    <Dialog
      title={again ? `再次导出 ${what}` : `导出锁账 ${what}`}
      width={560}
      onClose={onClose}
      footer={<Foot cancel={onClose} ok={again ? "导出" : "导出并锁账"} run={run} />}
    >
      <div className="stack gap-6">
        <label className="row" htmlFor="posting-format">
          文件格式
        </label>
        <ChoiceInput
          id="posting-format"
          words={FORMAT}
          value={format}
          onChange={(next) => setFormat((next ?? "xlsx") as Format)}
        />
        {again ? (
          <p className="sub">金额不变，总账科目按现在的映射，文件版本加一。</p>
        ) : (
          <ul className="sub stack gap-2">
            <li>借贷合计 {yuan(rows.reduce((sum, r) => sum + r.debit, 0))}，导出后该月锁账。</li>
            <li>锁账后发生在该月的业务记入下一个未锁账的月份，列表注明业务日期。</li>
            <li>该月的凭证和报表不再变化；解锁需填写原因，只限最后一个锁账的月份。</li>
          </ul>
        )}
      </div>
    </Dialog>
  );
}

const BookForm = ({ row, onClose }: { row: PostingRow; onClose: () => void }) => (
  <FormDialog
    call={bookPosting}
    title={`填写总账凭证号 ${placed(row)}`}
    ok="保存"
    done="已入账"
    params={{ id: row.id }}
    initial={{ version: row.version, glVoucherNo: "" }}
    onClose={onClose}
    fields={["glVoucherNo"]}
  />
);
