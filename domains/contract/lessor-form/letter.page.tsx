import { type FormEvent, Fragment, useCallback, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { Failure, sentence } from "../../../platform/console/calls/failure.ts";
import { fetchFile, sendWire, type Wire } from "../../../platform/console/calls/request.ts";
import { OpenFailed, OpenPage, OpenSaid, OpenWaiting } from "../../../platform/console/shell/public-page.tsx";
import "../esign/signer.css";

const PATH = "/contract/api/v3/esign/a/:token";
const READ: Wire = { method: "GET", path: PATH, asNobody: true };
const post = (tail: string): Wire => ({ method: "POST", path: `${PATH}${tail}`, asNobody: true });
const OPEN = post("/open");
const DOCUMENT = post("/document");
const SMS = post("/sms");
const SIGN = post("/sign");

type Linked = { state: "open" | "signed" | "expired" | "revoked"; maskedName: string };
type Opened = {
  lessorName: string;
  legalName: string;
  phone: string;
  from: string;
  to: string;
  kinds: string;
  villages: string;
  seals: string;
  documentHash: string;
  waitSeconds: number;
};
type Known = { token: string; last4: string; letter: Opened };

const ENDED = {
  signed: ["授权书已签署", "可以关闭本页，签署结果以系统内的记录为准。"],
  expired: ["签署链接已过期", "请联系企业经办人重新发送。"],
  revoked: ["签署已撤销", "请联系企业经办人确认。"],
} as const;

/** Where a legal person reads the letter of authorisation and signs it by a code; phones first, nobody signs in. */
function LetterPage({ token }: { token: string }) {
  const [link, setLink] = useState<Linked>();
  const [failure, setFailure] = useState<unknown>();
  const [known, setKnown] = useState<Known>();
  const load = useCallback(() => {
    setFailure(undefined);
    sendWire<Linked>(READ, { params: { token } }).then(setLink, setFailure);
  }, [token]);
  useEffect(load, [load]);
  if (failure) return <OpenFailed error={failure} retry={load} />;
  if (!link) return <OpenWaiting />;
  if (link.state !== "open") {
    const [title, text] = ENDED[link.state];
    return (
      <OpenSaid icon={link.state === "signed" ? "check" : "clock"} title={title}>
        <p>{text}</p>
      </OpenSaid>
    );
  }
  if (!known) return <Opening token={token} name={link.maskedName} onOpened={setKnown} />;
  return <Signing {...known} />;
}

const messageOf = (error: unknown) => (error instanceof Failure ? error.message : sentence(error));

type OpeningProps = { token: string; name: string; onOpened: (known: Known) => void };
function Opening({ token, name, onOpened }: OpeningProps) {
  const [last4, setLast4] = useState("");
  const [wrong, setWrong] = useState("");
  const [busy, setBusy] = useState(false);
  const open = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setWrong("");
    try {
      const letter = await sendWire<Opened>(OPEN, { params: { token }, body: { last4 } });
      onOpened({ token, last4, letter });
    } catch (error) {
      setWrong(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form className="sg sg__card stack gap-8" onSubmit={(event) => void open(event)}>
      <h1 className="sg__head">签署电子签署授权书</h1>
      <p className="sub">
        {name} 请您签署电子签署授权书。为确认是您本人，请输入法人证件号或统一社会信用代码的后 4 位。
      </p>
      <label className="stack gap-2">
        后 4 位
        <input
          className="sg__input"
          value={last4}
          maxLength={4}
          autoComplete="off"
          autoCapitalize="characters"
          aria-invalid={wrong ? true : undefined}
          onChange={(event) => setLast4(event.target.value.toUpperCase())}
        />
      </label>
      {wrong && (
        <p className="sg__wrong" role="alert">
          {wrong}
        </p>
      )}
      <button
        type="submit"
        className="btn btn--main btn--lg"
        disabled={busy || last4.length !== 4}
        aria-disabled={busy || last4.length !== 4}
      >
        打开授权书
      </button>
    </form>
  );
}

function Signing({ token, last4, letter }: Known) {
  const [captcha, setCaptcha] = useState("");
  const [wait, setWait] = useState(letter.waitSeconds);
  const [read, setRead] = useState(false);
  const [busy, setBusy] = useState("");
  const [wrong, setWrong] = useState("");
  useEffect(() => {
    if (wait <= 0) return undefined;
    const timer = setTimeout(() => setWait((n) => n - 1), 1000);
    return () => clearTimeout(timer);
  }, [wait]);
  const doing = (what: string, work: () => Promise<void>) => async () => {
    if (busy) return;
    setBusy(what);
    setWrong("");
    try {
      await work();
    } catch (error) {
      setWrong(messageOf(error));
    } finally {
      setBusy("");
    }
  };
  const show = doing("document", async () => {
    // opened before anything is waited for, or the browser takes it for a window that nobody asked for
    const view = window.open("", "_blank");
    try {
      const { blob } = await fetchFile(DOCUMENT, { params: { token }, body: { last4 } });
      const url = URL.createObjectURL(blob);
      if (view) view.location.href = url;
      else location.href = url;
      setRead(true);
    } catch (error) {
      view?.close();
      throw error;
    }
  });
  const sms = doing("sms", async () => {
    const { waitSeconds } = await sendWire<{ waitSeconds: number }>(SMS, {
      params: { token },
      body: { last4 },
    });
    setWait(waitSeconds);
  });
  const sign = doing("sign", async () => {
    const body = { last4, captcha, documentHash: letter.documentHash };
    const { key } = await sendWire<{ key: string }>(SIGN, { params: { token }, body });
    location.replace(`/sams/authsuccess?key=${encodeURIComponent(key)}`);
  });
  const facts: readonly (readonly [string, string])[] = [
    ["授权企业", letter.lessorName],
    ["法人", letter.legalName],
    ["有效期", `${letter.from} 至 ${letter.to}`],
    ["可签署", letter.kinds],
    ["适用门店", letter.villages],
    ["可用印章", letter.seals],
  ];
  return (
    <form
      className="sg sg__card stack gap-8"
      onSubmit={(event) => {
        event.preventDefault();
        void sign();
      }}
    >
      <h1 className="sg__head">电子签署授权书</h1>
      <dl className="sg__pairs">
        {facts.map(([title, value]) => (
          <Fragment key={title}>
            <dt className="dim">{title}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
      </dl>
      <button
        type="button"
        className="btn btn--lg"
        disabled={busy === "document"}
        aria-disabled={busy === "document"}
        onClick={() => void show()}
      >
        阅读授权书全文
      </button>
      <label className="stack gap-2">
        短信验证码（发送到 {letter.phone}）
        <span className="row">
          <input
            className="sg__input grow"
            value={captcha}
            maxLength={6}
            inputMode="numeric"
            autoComplete="one-time-code"
            onChange={(event) => setCaptcha(event.target.value.trim())}
          />
          <button
            type="button"
            className="btn btn--lg"
            disabled={wait > 0 || busy === "sms"}
            aria-disabled={wait > 0 || busy === "sms"}
            onClick={() => void sms()}
          >
            {wait > 0 ? `${wait} 秒` : "获取验证码"}
          </button>
        </span>
      </label>
      {wrong && (
        <p className="sg__wrong" role="alert">
          {wrong}
        </p>
      )}
      <button
        type="submit"
        className="btn btn--main btn--lg"
        disabled={!read || captcha.length !== 6 || busy === "sign"}
        aria-disabled={!read || captcha.length !== 6 || busy === "sign"}
        title={read ? undefined : "请先阅读授权书全文"}
      >
        我已阅读并同意，签署授权书
      </button>
      {!read && <p className="dim">请先阅读授权书全文</p>}
    </form>
  );
}

/** Draws the page of a one-time link. */
export default function showLetter(root: HTMLElement, token: string): void {
  createRoot(root).render(
    <OpenPage>
      <LetterPage token={token} />
    </OpenPage>,
  );
}
