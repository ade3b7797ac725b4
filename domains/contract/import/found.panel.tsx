import { Link } from "react-router";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Help } from "../../../platform/console/detail/facts.tsx";
import { Icon } from "../../../platform/console/parts/icons.tsx";
import { Money } from "../../../platform/console/parts/kinds.tsx";
import { pathTo } from "../../../platform/console/screens/page.ts";
import { download } from "../../../platform/console/calls/request.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { type contractImport, contractImportResult } from "./import.contract.ts";
import { villageTotals, type ImportTotals, type VillageTotals } from "./planned.rules.ts";

type Batch = Reply<typeof contractImport>;

/** What a file holds: its errors by row and column, its sums to compare, how far it is, or what became of it. */
export function Found({ batch, onLeave }: { batch: Batch; onLeave: () => void }) {
  const result = () => download(contractImportResult, { params: { id: batch.id } });
  return (
    <section className="opening__found" aria-label="检查结果" aria-live="polite">
      {batch.state === "importing" && (
        <div
          className="opening__progress"
          role="progressbar"
          aria-label="导入进度"
          aria-valuenow={batch.progress}
          aria-valuemin={0}
          aria-valuemax={100}
        >
          <i style={{ width: `${batch.progress}%` }} />
          <span>正在导入 {batch.progress}%，可以离开本页，稍后在下面的批次中查看</span>
        </div>
      )}
      {batch.state === "failed" && <Errors batch={batch} onFile={result} />}
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
          <Link to={pathTo("/contract/RenterContractPage", { source: "import" })} onClick={onLeave}>
            查看导入的合同
          </Link>
          <Button size="sm" icon="download" run={result}>
            下载结果
          </Button>
        </p>
      )}
      {batch.state === "undone" && <p className="dim">{batch.number} 已撤销</p>}
      {batch.totals && <Totals totals={batch.totals} />}
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
    <div className="box importing__errors">
      <table className="tbl">
        <thead>
          <tr>
            <th className="num">行</th>
            <th>列</th>
            <th>内容</th>
            <th>错误</th>
          </tr>
        </thead>
        <tbody>
          {batch.errors.slice(0, SHOWN).map((e, i) => (
            <tr key={i}>
              <td className="num">{e.row}</td>
              <td className="opening__at">
                {e.column && <span className="dim">{e.column} </span>}
                {e.header}
              </td>
              <td className="opening__value">{e.value}</td>
              <td className="opening__msg">{e.msg}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
    {batch.errorCount > SHOWN && <p className="dim">只列出前 {SHOWN} 处，全部错误见错误文件</p>}
  </>
);

type Sum = Exclude<keyof VillageTotals, "villageName">;
/** What the operator's own sheet has stands first. */
const SUMS: readonly Sum[] = [
  "contracts",
  "deposit",
  "arrears",
  "prepaid",
  "monthlyRent",
  "agreed",
  "dueNow",
  "bills",
  "newTenants",
];
const COUNTS: ReadonlySet<Sum> = new Set(["contracts", "bills", "newTenants"]);
const metaOf = (key: Sum) => villageTotals.shape[key].meta() as { title: string; help?: string };

/** The sums village by village, as the operator's own sheet has them. */
function Totals({ totals }: { totals: ImportTotals }) {
  const cells = (row: VillageTotals) =>
    SUMS.map((key) => (
      <td key={key} className="num">
        {COUNTS.has(key) ? row[key].toLocaleString("en-US") : <Money fen={row[key]} />}
      </td>
    ));
  return (
    <div className="box opening__totals">
      <table className="tbl">
        <thead>
          <tr>
            <th>门店</th>
            {SUMS.map((key) => {
              const { title, help } = metaOf(key);
              return (
                <th key={key} className="num">
                  {title}
                  {help && <Help text={help} />}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {totals.villages.map((v) => (
            <tr key={v.villageName}>
              <td>{v.villageName}</td>
              {cells(v)}
            </tr>
          ))}
        </tbody>
        {totals.villages.length > 1 && (
          <tfoot>
            <tr className="sum">
              <td>{totals.sum.villageName}</td>
              {cells(totals.sum)}
            </tr>
          </tfoot>
        )}
      </table>
    </div>
  );
}
