import { Link } from "react-router";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Taking, WrongCells } from "../../../platform/console/files/checking.tsx";
import { SheetColumns } from "../../../platform/console/files/sheet-columns.tsx";
import { useRefresh } from "../../../platform/console/calls/mutation.ts";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { Icon } from "../../../platform/console/parts/icons.tsx";
import { pathTo } from "../../../platform/console/screens/page.ts";
import { download } from "../../../platform/console/calls/request.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { type ContractKind, KINDS } from "../terms/kind.rules.ts";
import { OPENINGS } from "./import.contract.ts";
import { SUMS, villageTotals, type ImportTotals } from "./planned.rules.ts";

type Batch = Reply<(typeof OPENINGS)["renter"]["calls"]["get"]>;

/** What a file holds: its errors by row and column, its sums to compare, how far it is, or what became of it. */
export function Found({ kind, batch, onLeave }: { kind: ContractKind; batch: Batch; onLeave: () => void }) {
  const { calls } = OPENINGS[kind];
  const refresh = useRefresh();
  const { mapping } = batch;
  const result = () => download(calls.errorFile, { params: { id: batch.id } });
  return (
    <section className="opening__found" aria-label="检查结果" aria-live="polite">
      {batch.state === "importing" && <Taking percent={batch.progress} later="稍后在下面的批次中查看" />}
      {mapping && (
        <SheetColumns
          key={batch.id}
          mapping={mapping}
          call={calls.columns}
          id={batch.id}
          onMapped={refresh}
        />
      )}
      {batch.state === "failed" && mapping?.confirmed !== false && <Errors batch={batch} onFile={result} />}
      {batch.state === "ready" && (
        <p className="opening__said">
          <Icon name="check" size={14} />共 {batch.rowCount.toLocaleString("en-US")}{" "}
          行，没有发现错误；请与原表核对合计
        </p>
      )}
      {batch.state === "done" && (
        <p className="opening__said">
          <Icon name="check" size={14} />
          {batch.number} 已导入，
          <Link to={pathTo(KINDS[kind].path, { source: "import" })} onClick={onLeave}>
            查看导入的合同
          </Link>
          <Button size="sm" icon="download" run={result}>
            下载结果
          </Button>
        </p>
      )}
      {batch.state === "undone" && <p className="dim">{batch.number} 已撤销</p>}
      {batch.totals && <Totals kind={kind} totals={batch.totals} />}
    </section>
  );
}

const SHOWN = 200;

const Errors = ({ batch, onFile }: { batch: Batch; onFile: () => Promise<unknown> }) => (
  <>
    <p className="form__note opening__said">
      共 {batch.rowCount.toLocaleString("en-US")} 行，{batch.errorCount.toLocaleString("en-US")}{" "}
      处错误，没有导入任何一行
      <Button size="sm" icon="download" run={onFile}>
        下载错误文件
      </Button>
    </p>
    <WrongCells
      errors={batch.errors}
      columns={["row", "place", "value", "msg"]}
      most={SHOWN}
      className="importing__errors"
    />
    {batch.errorCount > SHOWN && <p className="dim">只列出前 {SHOWN} 处，全部错误见错误文件</p>}
  </>
);

const [CONTRACTS, ...OTHERS] = SUMS;
/** Contracts of firms have rooms to count, and who is new is no tenant. */
const OF_FIRMS = [
  CONTRACTS,
  "rooms",
  ...OTHERS.map((key) => (key === "newTenants" ? ({ key, title: "新建客户" } as const) : key)),
] as const;

/** The sums village by village, as the operator's own sheet has them. */
const Totals = ({
  kind,
  totals: {
    villages,
    sum: { villageName, ...sums },
  },
}: {
  kind: ContractKind;
  totals: ImportTotals;
}) => (
  <div className="opening__totals">
    <RowTable
      schema={villageTotals}
      rows={villages}
      columns={kind === "renter" ? ["villageName", ...SUMS] : ["villageName", ...OF_FIRMS]}
      {...(villages.length > 1 && { sums, sumNote: villageName })}
      helps
    />
  </div>
);
