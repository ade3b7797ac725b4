import { Facts } from "../../../platform/console/detail/facts.tsx";
import { DayRange } from "../../../platform/console/inputs/days.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Money } from "../../../platform/console/parts/kinds.tsx";
import { previewStatement, type StatementPreview } from "../statement/statement.contract.ts";
import type { Template } from "../statement/template.rules.ts";

const SHOWN_FAULTS = 50;
export const GAP_NOTE = "余额不连续，仍要导入请填写说明";

/** A file, what it says as it is read in one way, and what became of it. */
export type Brought = {
  file: File;
  /** Pressed again after a lost answer it is taken once. */
  key: string;
  busy?: boolean;
  told?: StatementPreview | undefined;
  /** Its first lines, also while it is read anew. */
  head: StatementPreview["head"];
  draft?: Template | undefined;
  failed?: string | undefined;
  percent?: number | undefined;
  done?: string | undefined;
};
export const wrongIn = (told: StatementPreview) =>
  told.refusal || (told.faultCount ? `文件有 ${told.faultCount} 处错误，没有导入任何流水` : "");

type ToldProps = {
  told: StatementPreview;
  wrong: string | undefined;
  note: string;
  setNote: (note: string) => void;
  /** Which days the file is about; undefined where it is one of many. */
  period?: { value: Period; set: (period: Period) => void } | undefined;
  faults: () => Promise<void>;
};
/** The days that a file is about, as who brings it says; what it tells itself where they are left open. */
export type Period = { from?: string | undefined; to?: string | undefined };
/** What a file says before it is taken: its sums, what is wrong in it, its first lines as they were read. */
export function Told({ told, wrong, note, setNote, period, faults }: ToldProps) {
  return (
    <>
      {wrong && (
        <p className="bad" role="alert">
          {wrong}
        </p>
      )}
      {!told.refusal && (
        <Facts
          call={previewStatement}
          data={told}
          facts={[
            "format",
            {
              title: "日期",
              show: (t) => (t.dateFrom === t.dateTo ? t.dateFrom : `${t.dateFrom} 至 ${t.dateTo}`),
            },
            {
              title: "笔数",
              show: (t) =>
                t.faultCount
                  ? `${t.lineCount} 行可以读取`
                  : `共 ${t.lineCount} 行，新增 ${t.newCount}，重复 ${t.lineCount - t.newCount}`,
            },
            "sumIn",
            "sumOut",
            "sumFee",
            { title: "编码", show: (t) => t.encoding.toUpperCase() },
          ]}
        />
      )}
      {period && !wrong && !told.stated && !told.format.endsWith("Fund") && (
        <div className="stack gap-2">
          <DayRange
            label="账单起止日"
            value={{ from: period.value.from ?? told.dateFrom, to: period.value.to ?? told.dateTo }}
            onChange={period.set}
          />
          <span className="dim">首尾没有流水的日子也属于该账单时，请把起止日改宽；这些日子随之对账</span>
        </div>
      )}
      {told.warnings.map((warning) => (
        <label key={warning} className="stack gap-2">
          <span className="bad">{warning}</span>
          <input
            className="inp"
            aria-label="余额不连续，仍要导入的说明"
            placeholder="余额不连续，仍要导入请填写说明（2-200字）"
            maxLength={200}
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
        </label>
      ))}
      {told.faults.length > 0 && (
        <>
          <div className="row between">
            <span className="dim">
              {told.faults.length > SHOWN_FAULTS && `列出前 ${SHOWN_FAULTS} 处，其余见下载的表格`}
            </span>
            <Button run={faults}>下载错误行</Button>
          </div>
          <Faults told={told} />
        </>
      )}
      {!told.refusal && told.faultCount === 0 && <First told={told} />}
    </>
  );
}

const Faults = ({ told }: { told: StatementPreview }) => (
  <div className="box">
    <table className="tbl">
      <thead>
        <tr>
          <th className="num">行</th>
          <th>列</th>
          <th>内容</th>
          <th>原因</th>
        </tr>
      </thead>
      <tbody>
        {told.faults.slice(0, SHOWN_FAULTS).map((fault, i) => (
          <tr key={i}>
            <td className="num">{fault.line}</td>
            <td>{fault.column || "—"}</td>
            <td className="cut">{fault.content}</td>
            <td className="bad">{fault.reason}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

/** Its first lines as they were read. */
const First = ({ told }: { told: StatementPreview }) => (
  <div className="scroll-x">
    <table className="tbl tbl--flat">
      <thead>
        <tr>
          <th className="num">行</th>
          <th>时间</th>
          <th className="num">收入</th>
          <th className="num">支出</th>
          <th className="num">手续费</th>
          <th>单号</th>
          <th>对方</th>
          <th>摘要</th>
          {told.head.length > 0 && <th>原文</th>}
        </tr>
      </thead>
      <tbody>
        {told.first.map((line) => (
          <tr key={line.lineNo} title={line.raw}>
            <td className="num">{line.lineNo}</td>
            <td>{line.occurredAt}</td>
            <td className="num">{line.direction === "in" && <Money fen={line.amount} />}</td>
            <td className="num">{line.direction === "out" && <Money fen={line.amount} />}</td>
            <td className="num">
              <Money fen={line.fee} />
            </td>
            <td>{line.number}</td>
            <td>{line.counter}</td>
            <td>{line.summary}</td>
            {told.head.length > 0 && <td className="dim fs-12">{line.raw}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

/** The same of one of many files, as cells of its row. */
export const ToldInShort = ({ of: { told } }: { of: Brought }) =>
  !told || told.refusal ? (
    <>
      <td>—</td>
      <td>—</td>
      <td className="num">—</td>
      <td className="num">—</td>
    </>
  ) : (
    <>
      <td>{told.dateFrom === told.dateTo ? told.dateFrom : `${told.dateFrom} 至 ${told.dateTo}`}</td>
      <td>
        {told.faultCount ? `${told.lineCount} 行可以读取` : `${told.lineCount} 行，新增 ${told.newCount}`}
      </td>
      <td className="num">
        <Money fen={told.sumIn} />
      </td>
      <td className="num">
        <Money fen={told.sumOut} />
      </td>
    </>
  );

/** What became of one of many files, or what stands in its way. */
export function Outcome({ of, why }: { of: Brought; why: string | undefined }) {
  if (of.percent !== undefined) return <span role="status">正在导入 {of.percent}%</span>;
  if (of.busy) return <span className="dim">{of.told ? "正在导入" : "正在读取"}</span>;
  if (of.done) return <span role="status">{of.done}</span>;
  if (!why) return <span className="dim">可以导入</span>;
  return (
    <span className={why === GAP_NOTE ? "warned" : "bad"}>{of.told || of.failed ? why : "等待读取"}</span>
  );
}
