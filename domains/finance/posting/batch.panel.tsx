import { Detail } from "../../../platform/console/detail/detail.tsx";
import { exportList } from "../../../platform/console/list/exporting.ts";
import { ListTable } from "../../../platform/console/list/list-table.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { NONE } from "../../../platform/console/parts/kinds.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { may } from "../../../platform/console/session/permits.ts";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { Moments } from "../journal/entries.panel.tsx";
import type { BatchActs } from "./acts.panel.tsx";
import { entriesBehind, exportEntries, getPosting, type Posting } from "./posting.contract.ts";
import { BATCH_STATE } from "./posting.rules.ts";

type Voucher = Posting["vouchersOf"][number];
const { lines } = getPosting.reply!.shape.vouchersOf.element.shape;
const COLUMNS = [
  "entryNo",
  "eventName",
  "date",
  "businessDate",
  "partyName",
  "billNo",
  "flowNo",
  "debit",
  "credit",
];

/** One batch: its vouchers, each line with the entries behind it. */
export const BatchDrawer = ({ id, acts }: { id: number; acts: BatchActs }) => (
  <Detail
    call={getPosting}
    sent={{ params: { id } }}
    width={960}
    title={(b) => b.batchNo}
    tags={(b) => <WordTag words={BATCH_STATE} code={b.state} />}
    strip={(b) => [
      { title: "借方合计", fen: b.debit },
      { title: "贷方合计", fen: b.credit },
      { title: "账簿借方", fen: b.inBooks },
    ]}
    facts={[
      "villageName",
      "month",
      "vouchers",
      "fileVersion",
      { key: "glVoucherNo", show: (b) => b.glVoucherNo || NONE },
      { title: "生成", show: (b) => `${timeInZone(b.createdAt).slice(0, 16)} ${b.creator}` },
      {
        title: "导出",
        show: (b) => (b.exportedAt ? `${timeInZone(b.exportedAt).slice(0, 16)} ${b.exporter ?? ""}` : NONE),
      },
      { key: "reason", show: (b) => b.reason || NONE },
    ]}
    actions={(b) => acts.of(b)}
    tabs={[
      {
        key: "vouchers",
        title: "凭证",
        count: (b) => b.vouchersOf.length,
        view: (b) => (
          <div className="stack gap-8">
            {b.vouchersOf.map((voucher) => (
              <VoucherTable key={voucher.id} voucher={voucher} />
            ))}
            {!b.vouchersOf.length && <p className="dim">该月没有凭证，导出后同样锁账</p>}
          </div>
        ),
      },
      { key: "log", title: "业务日志", view: (b) => <Moments log={b.log} /> },
    ]}
  >
    {(b) =>
      b.debit !== b.inBooks &&
      b.state === "generated" && (
        <p className="notice s-orange" role="status">
          生成后有新凭证，账簿借方 {yuan(b.inBooks)}，请作废后重新生成
        </p>
      )
    }
  </Detail>
);

function VoucherTable({ voucher }: { voucher: Voucher }) {
  const sums = {
    debit: voucher.debit,
    credit: voucher.lines.reduce((sum, line) => sum + line.credit, 0),
  };
  return (
    <section className="stack gap-2" aria-label={voucher.title}>
      <h3 className="row between fs-13">
        <b>{voucher.title}</b>
        <span className="dim">
          {voucher.date} · {voucher.memo}
        </span>
      </h3>
      <RowTable
        schema={lines}
        rows={voucher.lines}
        columns={["account", "accountName", "glCode", "auxiliary", "debit", "credit"]}
        sums={sums}
        expand={({ seq }) => <Behind voucherId={voucher.id} seq={seq} />}
      />
    </section>
  );
}

/** The journal entries of a line; more than a hundred are read from the file. */
const Behind = ({ voucherId, seq }: { voucherId: number; seq: number }) => (
  <div className="stack gap-2">
    <ListTable
      call={entriesBehind}
      query={{ voucherId, seq }}
      flat
      columns={COLUMNS as ("entryNo" | "debit")[]}
      emptyText="没有分录"
    />
    {may(exportEntries.needs) && (
      <p>
        <Button
          look="text"
          icon="download"
          run={() => exportList(exportEntries, { query: { voucherId, seq } }, COLUMNS)}
        >
          导出全部分录
        </Button>
      </p>
    )}
  </div>
);
