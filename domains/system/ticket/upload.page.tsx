import { useCallback, useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";
import { Failure, sentence } from "../../../platform/console/calls/failure.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import { OpenFailed, OpenPage, OpenSaid, OpenWaiting } from "../../../platform/console/shell/public-page.tsx";
import { sendWire, type Wire } from "../../../platform/console/calls/request.ts";
import { toast } from "../../../platform/console/parts/toast.ts";
import type { PurposeName } from "../file/purposes.rules.ts";
import { Chooser, type Sending, SendingRow, fitted, send } from "./sending.panel.tsx";
import { GONE } from "./ticket.rules.ts";
import "./upload.css";

const PATH = "/system/api/v3/upload/ticket/:token";
const READ: Wire = { method: "GET", path: PATH, asNobody: true };
const END: Wire = { method: "DELETE", path: PATH, asNobody: true };

type Sent = { id: number; name: string };
type Ticket = { purpose: PurposeName; title: string; maxFiles: number; secondsLeft: number; files: Sent[] };

const isGone = (error: unknown) => error instanceof Failure && error.status === 410;

/** 手机上传: where the link of a form on a desk leads. The token stands behind the #, so that it is sent to nobody. */
export default function UploadPage() {
  const token = useLocation().hash.slice(1);
  const [ticket, setTicket] = useState<Ticket>();
  const [failure, setFailure] = useState<unknown>();
  const [over, setOver] = useState<"gone" | "done" | undefined>(token ? undefined : "gone");
  const [rows, setRows] = useState<readonly Sending[]>([]);
  const [busy, setBusy] = useState(false);
  const last = useRef(0);

  const load = useCallback(() => {
    if (!token) return;
    setFailure(undefined);
    sendWire<Ticket>(READ, { params: { token } }).then(
      (answer) => {
        setTicket(answer);
        setRows(answer.files.map(({ id, name }) => ({ key: -id, name, part: 1, done: true })));
      },
      (error: unknown) => (isGone(error) ? setOver("gone") : setFailure(error)),
    );
  }, [token]);
  useEffect(load, [load]);
  const minutes = useMinutes(ticket?.secondsLeft, () => setOver((now) => now ?? "gone"));

  if (over === "gone") return <Said title={GONE} />;
  if (over === "done") return <Finished count={rows.filter((row) => row.done).length} />;
  if (failure) return framed(<OpenFailed error={failure} retry={load} />);
  if (!ticket) return framed(<OpenWaiting />);

  const change = (key: number, patch: Partial<Sending>) =>
    setRows((all) => all.map((row) => (row.key === key ? { ...row, ...patch } : row)));
  const begin = async (row: Sending) => {
    change(row.key, { error: undefined, part: 0 });
    try {
      const file = await fitted(row.file!, ticket.purpose);
      await send(token, file, (part) => change(row.key, { part }));
      change(row.key, { done: true, part: 1 });
    } catch (error) {
      if (isGone(error)) setOver("gone");
      else
        change(row.key, { error: sentence(error), final: error instanceof Refusal && error.status === 400 });
    }
  };
  const used = rows.filter((row) => !row.error).length;
  const left = ticket.maxFiles - used;
  const take = (files: readonly File[]) => {
    if (files.length > left) toast(`最多还能传 ${left} 个，其余未加入`, "warning");
    const added = files
      .slice(0, left)
      .map((file) => ({ key: ++last.current, name: file.name, file, part: 0, done: false }));
    setRows((all) => [...all, ...added]);
    // one after the other: a phone's line is thin, and the first is on the desk sooner
    void added.reduce<Promise<void>>((before, row) => before.then(() => begin(row)), Promise.resolve());
  };
  const under = rows.some((row) => !row.done && !row.error);
  const finish = async () => {
    if (busy || under) return;
    setBusy(true);
    try {
      await sendWire(END, { params: { token } });
      setOver("done");
    } catch (error) {
      if (isGone(error)) setOver("gone");
      else toast(sentence(error), "error");
    } finally {
      setBusy(false);
    }
  };

  return framed(
    <>
      <h1 className="send__title">{ticket.title || "上传文件"}</h1>
      <p className="send__note fs-13 sub" role="timer">
        还可传 {Math.max(0, left)} 个，{minutes} 分钟内有效
      </p>
      <Chooser purpose={ticket.purpose} left={left} onFiles={take} />
      {rows.length > 0 && (
        <ul className="send__rows" aria-label="文件">
          {rows.map((row) => (
            <SendingRow
              key={row.key}
              row={row}
              retry={() => void begin(row)}
              remove={() => setRows((all) => all.filter((one) => one.key !== row.key))}
            />
          ))}
        </ul>
      )}
      <div className="send__foot">
        <button
          type="button"
          className="btn btn--main btn--lg"
          aria-disabled={under || !rows.some((row) => row.done) || undefined}
          aria-busy={busy || undefined}
          onClick={() => rows.some((row) => row.done) && void finish()}
        >
          {busy && <span className="btn__spin" />}
          {under ? "正在上传…" : "完成"}
        </button>
        <p className="dim">文件会出现在电脑上打开的表单里，完成后链接失效。</p>
      </div>
    </>,
  );
}

const framed = (children: React.ReactNode) => <OpenPage>{children}</OpenPage>;

const Said = ({ title }: { title: string }) =>
  framed(
    <OpenSaid icon="info" title={title}>
      <p>请在电脑上重新打开“手机上传”，用新的二维码继续。</p>
    </OpenSaid>,
  );

const Finished = ({ count }: { count: number }) =>
  framed(
    <OpenSaid icon="check" look="good" title="上传完成">
      <p>已上传 {count} 个文件，请回到电脑上保存。现在可以关闭本页。</p>
    </OpenSaid>,
  );

/** Whole minutes until the end, counted here; `end` is told when there are none left. */
function useMinutes(secondsLeft: number | undefined, end: () => void): number {
  const [left, setLeft] = useState(secondsLeft ?? 0);
  const ending = useRef(end);
  ending.current = end;
  useEffect(() => {
    if (secondsLeft === undefined) return;
    const until = Date.now() + secondsLeft * 1000;
    const look = () => {
      const now = Math.max(0, (until - Date.now()) / 1000);
      setLeft(now);
      if (!now) ending.current();
    };
    look();
    const timer = setInterval(look, 5_000);
    return () => clearInterval(timer);
  }, [secondsLeft]);
  return Math.ceil(left / 60);
}
