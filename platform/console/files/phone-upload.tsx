import { useQuery } from "@tanstack/react-query";
import { QRCodeSVG } from "@rc-component/qrcode";
import { useEffect, useRef, useState } from "react";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Failure, sentence } from "../calls/failure.ts";
import { Icon } from "../parts/icons.tsx";
import { usePage } from "../screens/page.ts";
import { fetchFile, sendWire, type Wire } from "../calls/request.ts";
import { copy, toast } from "../parts/toast.ts";
import type { FileRef } from "./upload.tsx";
import "../parts/kit.css";

const PATH = "/system/api/v3/upload/ticket";
const OPEN: Wire = { method: "POST", path: PATH };
const READ: Wire = { method: "GET", path: `${PATH}/:token` };
const END: Wire = { method: "DELETE", path: `${PATH}/:token` };
const EVERY_MS = 2_000;

type Opened = { token: string; secondsLeft: number };
type Seen = { state: "open" | "done" | "expired"; secondsLeft: number; files: FileRef[] };

const linkOf = (token: string) => `${location.origin}/sams/FileUploadH5#${token}`;
const labelOf = (field: string) =>
  document
    .querySelector(`label[for="${CSS.escape(field)}"]`)
    ?.textContent?.trim()
    .slice(0, 40);

type PhoneUploadProps = {
  purpose: string;
  maxFiles: number;
  /** Id of the input, whose label the phone repeats. */
  field: string;
  onFiles: (files: FileRef[]) => void;
  onClose: () => void;
};

/**
 * 手机上传: a link for half an hour, as a picture for a phone's camera. What comes through it stands in the field at once;
 * closing the dialog ends it.
 */
export default function PhoneUpload({ purpose, maxFiles, field, onFiles, onClose }: PhoneUploadProps) {
  const { active, title } = usePage();
  const [most] = useState(maxFiles);
  const [opened, setOpened] = useState<Opened>();
  const [failure, setFailure] = useState<unknown>();
  const [round, setRound] = useState(1);
  const [came, setCame] = useState<readonly FileRef[]>([]);
  const known = useRef(new Set<number>());
  const left = most - came.length;
  // the link that is still to be ended
  const live = useRef<string>(undefined);

  useEffect(() => {
    let over = false;
    const end = () => {
      over = true;
      if (live.current)
        void sendWire(END, { params: { token: live.current } }, { keepalive: true }).catch(() => undefined);
      live.current = undefined;
    };
    sendWire<Opened>(OPEN, {
      body: { purpose, maxFiles: most - known.current.size, title: labelOf(field) ?? title },
    }).then((answer) => {
      live.current = answer.token;
      if (over) end();
      else setOpened(answer);
    }, setFailure);
    addEventListener("pagehide", end);
    return () => {
      removeEventListener("pagehide", end);
      end();
    };
  }, [round, purpose, most, field, title]);

  const token = opened?.token;
  const { data, error } = useQuery({
    queryKey: [PATH, token],
    queryFn: ({ signal }) => sendWire<Seen>(READ, { params: { token } }, { signal }),
    enabled: token !== undefined && active,
    refetchInterval: ({ state }) => (state.data && state.data.state !== "open" ? false : EVERY_MS),
    retry: false,
    gcTime: 0,
  });
  const take = (files: readonly FileRef[]) => {
    const fresh = files.filter((file) => !known.current.has(file.id));
    if (!fresh.length) return;
    for (const file of fresh) known.current.add(file.id);
    setCame((all) => [...all, ...fresh]);
    onFiles(fresh);
  };
  useEffect(() => {
    if (!data) return;
    take(data.files);
    if (data.state !== "open") live.current = undefined;
    if (data.state !== "done") return;
    toast(known.current.size ? `手机已上传 ${known.current.size} 个文件` : "手机上传已结束");
    onClose();
    // each answer is taken once, by whatever the field is then
  }, [data]); // oxlint-disable-line react/exhaustive-deps

  const gone = data?.state === "expired" || (error instanceof Failure && error.status === 410);
  const again = () => {
    setOpened(undefined);
    setFailure(undefined);
    setRound((n) => n + 1);
  };
  const close = async () => {
    // what came since the last look belongs to the field as well
    const ending = live.current;
    live.current = undefined;
    if (ending)
      await sendWire<Seen>(END, { params: { token: ending } }).then(
        ({ files }) => take(files),
        () => undefined,
      );
    onClose();
  };
  const minutes = Math.ceil((data?.secondsLeft ?? opened?.secondsLeft ?? 0) / 60);
  return (
    <Dialog
      title="手机上传"
      width={560}
      onClose={() => void close()}
      footer={
        <Button look="main" run={close}>
          完成
        </Button>
      }
    >
      <div className="code">
        <div className="code__box">
          {token && !gone ? (
            <QRCodeSVG value={linkOf(token)} size={192} level="M" marginSize={2} title="手机上传二维码" />
          ) : (
            <div className="code__none stack gap-6" role={failure ? "alert" : undefined}>
              {failure ? sentence(failure) : gone ? "二维码已过期" : <span className="btn__spin" />}
              {(failure !== undefined || gone) && (
                <Button size="sm" icon="refresh" run={again}>
                  重新生成
                </Button>
              )}
            </div>
          )}
        </div>
        <div className="code__say stack gap-4">
          <p>用手机相机或微信扫码，拍照或从相册选择，传好的文件会出现在这里。</p>
          {token && !gone && (
            <p className="dim" role="timer">
              {minutes} 分钟内有效，还可传 {left} 个，关闭窗口后失效
            </p>
          )}
          <ul className="phone__came grid gap-4" aria-label="已收到的文件">
            {came.map((file) => (
              <Arrival key={file.id} file={file} />
            ))}
          </ul>
          <p aria-live="polite">
            {came.length ? `已收到 ${came.length} 个` : <span className="dim">等待手机上传…</span>}
          </p>
          {token && !gone && (
            <Button look="text" size="sm" icon="copy" run={() => copy(linkOf(token))}>
              复制链接
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  );
}

/** A small picture of what came; papers show their kind. */
function Arrival({ file }: { file: FileRef }) {
  const picture = /^image\//.test(file.type ?? "");
  const { data: url } = useQuery({
    queryKey: ["/system/api/v3/file", file.id, "small"],
    queryFn: async () =>
      URL.createObjectURL((await fetchFile({ method: "GET", path: `/system/api/v3/file/${file.id}` })).blob),
    enabled: picture,
    staleTime: Infinity,
    gcTime: 0,
  });
  useEffect(() => () => void (url && URL.revokeObjectURL(url)), [url]);
  return (
    <li title={file.name}>
      {url ? <img src={url} alt={file.name} /> : <Icon name={picture ? "image" : "file"} size={20} />}
      <span className="cut">{file.name}</span>
    </li>
  );
}
