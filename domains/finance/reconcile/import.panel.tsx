import { useState } from "react";
import { sentence } from "../../../platform/console/calls/failure.ts";
import { freshKey, useRefresh } from "../../../platform/console/calls/mutation.ts";
import { upload } from "../../../platform/console/calls/request.ts";
import { Facts } from "../../../platform/console/detail/facts.tsx";
import { Drop } from "../../../platform/console/files/drop.tsx";
import { Foot } from "../../../platform/console/form/form-foot.tsx";
import { RecordSelect } from "../../../platform/console/inputs/selects.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Drawer } from "../../../platform/console/parts/drawer.tsx";
import { Money } from "../../../platform/console/parts/kinds.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import type { Call } from "../../../platform/kernel/call.ts";
import type { Source } from "../../../platform/kernel/filter.ts";
import { ACCOUNTS } from "../account/account.contract.ts";
import { importStatement, previewStatement, type StatementPreview } from "../statement/statement.contract.ts";

/** An import of statements: its calls, of which accounts, and what it says when it is done. */
export type Importing = {
  title: string;
  accounts: Source;
  preview: Call;
  take: Call;
  hint: string;
  done: (reply: Taken) => string;
};
type Taken = { statementNo: string; lineCount: number; newCount: number };
type Props = { of: Importing; accountId?: number | undefined; onClose: () => void };

/** What came in and what of it was known already. */
export const saidOfLines = (done: Taken): string =>
  `已导入 ${done.statementNo}：共 ${done.lineCount} 行，新增 ${done.newCount}，重复 ${done.lineCount - done.newCount}`;

export const STATEMENTS: Importing = {
  title: "导入对账单",
  accounts: ACCOUNTS,
  preview: previewStatement,
  take: importStatement,
  hint: "点击或拖入对账单：微信、支付宝下载的账单或银行流水（csv、xlsx、zip、gz）",
  done: saidOfLines,
};
const ACCEPT = ".csv,.txt,.xlsx,.zip,.gz";
const SHOWN_FAULTS = 50;

/** Reads a file of a channel or a bank, shows what it says, and takes it whole or not at all. */
export function ImportDialog({ of, accountId, onClose }: Props) {
  const refresh = useRefresh();
  const [account, setAccount] = useState(accountId);
  const [file, setFile] = useState<File>();
  const [told, setTold] = useState<StatementPreview>();
  const [note, setNote] = useState("");
  const [failed, setFailed] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [key, setKey] = useState(freshKey);
  const fields = { merchantAccountId: String(account ?? "") };

  const look = async (chosen: File) => {
    setFailed(undefined);
    setTold(undefined);
    setFile(chosen);
    setKey(freshKey());
    if (chosen.size > previewStatement.upload!.maxBytes) return setFailed("文件大小不能超过30M");
    setBusy(true);
    try {
      setTold((await upload(of.preview, { files: [chosen], fields })) as StatementPreview);
    } catch (error) {
      setFailed(sentence(error));
    } finally {
      setBusy(false);
    }
  };
  const wrong =
    told && (told.refusal || (told.faultCount ? `文件有 ${told.faultCount} 处错误，没有导入任何流水` : ""));
  const why = !account
    ? "请选择账户"
    : !told
      ? "请选择对账单文件"
      : wrong ||
        (told.warnings.length && note.trim().length < 2 ? "余额不连续，仍要导入请填写说明" : undefined);
  const take = async () => {
    const sent = { files: [file!], fields: { ...fields, note } };
    toast(of.done((await upload(of.take, sent, { idempotencyKey: key })) as Taken));
    onClose();
    await refresh();
  };
  return (
    <Drawer
      title={of.title}
      width={960}
      modal
      onClose={onClose}
      footer={
        <Foot cancel={onClose} note={<span className="dim">有一处错误就一行也不导入</span>}>
          <Button look="main" why={why} run={take}>
            导入
          </Button>
        </Foot>
      }
    >
      <div className="stack gap-6">
        <RecordSelect
          label="账户"
          source={of.accounts}
          value={account}
          onChange={(next) => {
            setAccount(next);
            setTold(undefined);
            setFile(undefined);
          }}
          placeholder="选择收款账户"
        />
        <Drop
          accept={ACCEPT}
          off={!account || busy}
          busy={busy}
          onFiles={([chosen]) => chosen && look(chosen)}
        >
          {!account ? "先选择账户" : busy ? `正在读取 ${file?.name ?? ""} …` : (file?.name ?? of.hint)}
        </Drop>
        {failed && (
          <p className="bad" role="alert">
            {failed}
          </p>
        )}
        {told && <Told told={told} wrong={wrong} note={note} setNote={setNote} />}
      </div>
    </Drawer>
  );
}

type ToldProps = {
  told: StatementPreview;
  wrong: string | undefined;
  note: string;
  setNote: (note: string) => void;
};
function Told({ told, wrong, note, setNote }: ToldProps) {
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
              show: (t) => `共 ${t.lineCount} 行，新增 ${t.newCount}，重复 ${t.lineCount - t.newCount}`,
            },
            "sumIn",
            "sumOut",
            "sumFee",
            { title: "编码", show: (t) => t.encoding.toUpperCase() },
          ]}
        />
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
      {told.faults.length > 0 && <Faults told={told} />}
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
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
